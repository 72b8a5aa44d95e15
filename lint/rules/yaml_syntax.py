"""The file is not valid YAML.

## What

A document that is about a kind that celvet knows cannot be read, or not as it is
written: it breaks a rule of YAML, names an anchor that does not exist, has a key
that is no text. A tag such as `!has(dep.status)` is a warning: it is dropped with
all that belongs to it. The other documents of the file are linted all the same.

What an unreadable document is about is told by its text. It is reported if that
has an API group and version of a known kind, such as
`kustomize.toolkit.fluxcd.io/v1`, or `kind:` with the name of one. A name that
other groups have as well, such as `Kustomization`, does with an API group or a
telling field like `healthCheckExprs` elsewhere in the document.

## Why

Nothing can be said of a document that cannot be read, and neither `kubectl` nor
Flux can apply it: one such file fails the reconciliation of its whole
directory.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
  - name: infrastructure
    readyExpr: dep.status.observedGeneration == 1: true
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
  - name: infrastructure
    readyExpr: "dep.status.observedGeneration == 1"
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR

KINDS = frozenset(
    {"alias-cycle", "bad-value", "key-text", "key-type", "undefined-alias", "yaml-syntax"}
)
"""The kinds of problem of `celvet.lint.manifest` that this rule reports."""

MISREAD = frozenset({"unknown-tag"})
"""Those that it warns of, since the document is read."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report what is no YAML, or no YAML that Kubernetes takes."""
    yield from manifest.findings(KINDS)
    for finding in manifest.findings(MISREAD):
        yield replace(finding, severity=Severity.WARNING)
