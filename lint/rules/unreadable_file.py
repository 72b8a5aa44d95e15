"""The file is not readable as text, or reading it would cost too much.

## What

The file is binary, has an encoding that YAML does not allow, is far larger or more deeply nested
than manifests are, or has aliases that multiply without bound. It is reported only if its text
mentions a kind that celvet knows (see `yaml-syntax`).

## Why

Nothing in it can be checked. The API server has limits of its own, far below these.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  a: &a [x, x, x, x, x, x, x, x, x, x]
  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
  f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
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

SEVERITY = Severity.ERROR

KINDS = frozenset({"alias-bomb", "binary", "encoding", "too-deep", "too-large"})
"""The kinds of problem of `celvet.lint.manifest` that this rule reports."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report what keeps the file from being read."""
    yield from manifest.findings(KINDS)
