"""The operator cannot parse a template of a ResourceSet.

## What

A text in `resources` or `resourcesTemplate` is not a Go template: an action is not closed, a
block has no `end`, or a function does not exist. The message is Go's own. Functions are those of
Go's `text/template` and the hermetic ones of slim-sprig, `slugify`, `toYaml`, `mustToYaml` and
`inputs`.

A frequent case is `bool`, which the documentation of the operator mentions and the operator does
not have.

## Why

The operator parses every template before it applies anything. With one error, the ResourceSet is
not ready and none of its objects changes.

## Bad

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
  inputs:
    - wait: "true"
  resources:
    - apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: apps, namespace: flux-system}
      spec:
        interval: 1h
        prune: true
        wait: << inputs.wait | bool >>
        sourceRef: {kind: GitRepository, name: flux-system}
```

## Good

```yaml
      spec:
        interval: 1h
        prune: true
        wait: << inputs.wait >>
        sourceRef: {kind: GitRepository, name: flux-system}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR

KINDS = frozenset({"template-syntax"})


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report the templates that Go refuses to parse."""
    yield from manifest.findings(KINDS)
