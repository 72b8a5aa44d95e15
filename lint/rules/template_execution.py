"""The operator cannot render or build a ResourceSet with its inputs.

## What

A template fails for one of the input sets, or its output is not a Kubernetes object. celvet
builds each ResourceSet with its inline `inputs` and with the ResourceSetInputProviders of type
`Static` in the files of the run. The message is the operator's own; a note shows the input set.

- an input is missing: the operator runs templates with `missingkey=error`
- a function gets an argument of a wrong type
- the text is not YAML, or has no `kind`, often because an input is not quoted
- two steps contain the same object

It is an info if celvet cannot render the template, because it takes too many steps or uses a
function that depends on the clock or on chance, such as `now`.

A ResourceSet whose inputs are known only in the cluster is built with stand-ins. Failures with
stand-ins are not reported.

## Why

The operator builds all objects before it applies the first one. With one error, the ResourceSet
is not ready and none of its objects changes.

## Bad

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
  inputs:
    - tenant: blue
      replicas: 2
    - tenant: green
  resources:
    - apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: << inputs.tenant >>, namespace: flux-system}
      spec:
        interval: 1h
        prune: true
        wait: true
        sourceRef: {kind: GitRepository, name: flux-system}
        healthCheckExprs:
          - apiVersion: example.com/v1
            kind: Database
            current: status.readyReplicas >= << inputs.replicas >>
            failed: has(status.error) && status.error != ''
```

## Good

```yaml
  inputs:
    - tenant: blue
      replicas: 2
    - tenant: green
      replicas: 3
  resources:
    - apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: << inputs.tenant >>, namespace: flux-system}
      spec:
        interval: 1h
        prune: true
        wait: true
        sourceRef: {kind: GitRepository, name: flux-system}
        healthCheckExprs:
          - apiVersion: example.com/v1
            kind: Database
            current: status.readyReplicas >= << inputs.replicas >>
            failed: has(status.error) && status.error != ''
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity
from celvet.record import replace

SEVERITY = Severity.ERROR

KINDS = frozenset({"template-execution"})

UNSUPPORTED = frozenset({"template-unsupported"})
"""Errors of celvet's own limits; the operator may well render the template."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report the ResourceSets that cannot be built."""
    yield from manifest.findings(KINDS)
    for finding in manifest.findings(UNSUPPORTED):
        yield replace(finding, severity=Severity.INFO)
