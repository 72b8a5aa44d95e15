"""A mapping contains the same key twice.

## What

YAML does not allow the same key twice in a mapping. Most parsers silently keep the last
value.

## Why

One of the two values is lost, and which one depends on the parser: `kubectl` takes the
last, while Flux's build of a directory refuses the file.

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
  wait: false
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
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.WARNING

KINDS = frozenset({"duplicate-key"})
"""The kinds of problem of `celvet.lint.manifest` that this rule reports."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report keys that occur twice."""
    yield from manifest.findings(KINDS)
