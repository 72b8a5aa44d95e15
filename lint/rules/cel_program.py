"""An expression holds a constant that can never be evaluated.

## What

CEL plans an expression before it runs it, and works on constants then: a
`timestamp('...')` or `duration('...')` of a text that is none, a regular
expression that does not compile, a message type that does not exist.

## Why

The plan fails even where evaluation would never get there, and the controller
refuses the whole object: it is stalled with reason `InvalidCELExpression`.

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
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: timestamp(status.notAfter) - timestamp('2026-01-01T00:00:00Z') > duration('30 days')
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
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: timestamp(status.notAfter) - timestamp('2026-01-01T00:00:00Z') > duration('720h')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what planning refuses."""
    yield from checked.refusals("bad-conversion", "bad-regex", "unknown-message", "bad-index")
