"""A call of a function that the controller's CEL does not have.

## What

Flux and the Flux Operator have CEL's standard library with strings, sets,
base64 and optional values. They have none of Kubernetes' own libraries
(`quantity`, `isURL`, `isSorted`...), nor `math`, `lists`, `cel.bind` or
two-variable macros. The finding says who has the function.

Where the controller checks types it refuses the call. Where it only parses, the
call fails when it is reached: an error where every evaluation reaches it, a
warning where `&&`, `||` or an empty list may keep evaluation away from it.

## Why

The CEL playground, and validation rules of Kubernetes, accept expressions that
Flux does not. Nothing says so until an object is checked: then evaluation
fails every time, and the reconciliation hangs until its timeout.

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
      current: quantity(status.capacity.storage).isGreaterThan(quantity('1Gi'))
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
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel import UnknownCall, unknown_calls
from celvet.lint.cel.syntax.tree import always_evaluated
from celvet.lint.checks import CelExpression, CheckedObject, sentence
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report calls that are refused, and those that fail when they are reached."""
    yield from checked.refusals("unknown-function")
    for expression in checked.cel:
        first = {call.name: call for call in reversed(unknown_calls(expression.program))}
        for call in reversed(first.values()):
            yield _finding(checked, expression, call)


def _finding(checked: CheckedObject, expression: CelExpression, call: UnknownCall) -> Finding:
    tree = expression.program.tree
    certain = tree is not None and always_evaluated(tree, call.node)
    return Finding(
        message=call.message,
        where=checked.at(expression, call.node.span),
        help=sentence(call.hint),
        severity=Severity.ERROR if certain else Severity.WARNING,
    )
