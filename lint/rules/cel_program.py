"""An expression contains a constant that can never be evaluated.

## What

CEL plans an expression before it runs it, and evaluates constants at that point.
This rule reports a `timestamp('...')` or `duration('...')` whose string is invalid,
a regular expression that does not compile, an index of the wrong type, and a
message type that does not exist.

## Why

Planning fails even if evaluation would never reach the constant. The controller
then refuses the whole object: it is stalled with reason `InvalidCELExpression`.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: tokens}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Token
      failed: status.phase == 'Refused'
      current: timestamp(status.expiresAt) - timestamp(status.issuedAt) >= duration('30 days')
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Token
      failed: status.phase == 'Refused'
      current: timestamp(status.expiresAt) - timestamp(status.issuedAt) >= duration('720h')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import refusals
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what cel-go refuses when it plans the program."""
    yield from refusals(checked, "bad-conversion", "bad-regex", "unknown-message", "bad-index")
