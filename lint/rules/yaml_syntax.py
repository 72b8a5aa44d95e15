"""The file is not valid YAML.

## What

The file mentions a kind that celvet knows, and a document of it cannot be read:
it breaks a rule of YAML, names an anchor that does not exist, has a key that is
no text. The other documents are linted all the same.

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

from lint.manifest import Manifest
from lint.model import Finding, Severity

SEVERITY = Severity.ERROR

KINDS = frozenset(
    {"alias-cycle", "bad-value", "key-text", "key-type", "undefined-alias", "yaml-syntax"}
)
"""The kinds of problem of `lint.manifest` that this rule reports."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report what is no YAML, or no YAML that Kubernetes takes."""
    yield from manifest.findings(KINDS)
