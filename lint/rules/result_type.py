"""The result of an expression is not a boolean.

## What

Health check expressions and gates must return a boolean. Where the controller checks types,
as for `dependsOn[].readyExpr`, the type must be known to be `bool`: a plain field has the
type `dyn` and is refused. Elsewhere the controller checks the result of each evaluation; an
expression that can only return a string, a number, a list or an optional value always fails.

## Why

The controller refuses such a `readyExpr`, and the object is stalled with reason
`InvalidCELExpression`. Elsewhere the result is an evaluation error: the object never becomes
ready.

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
      readyExpr: dep.status.ready
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
      readyExpr: dep.status.ready == true
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel import Compiled
from celvet.lint.cel.check.result_types import result_kind
from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report results that are refused, and results that cannot be a boolean."""
    yield from checked.refusals("result-type")
    for expression in checked.cel:
        compiled = expression.program
        if compiled.dialect.result != "bool" or compiled.dialect.checked or compiled.refusals:
            continue
        kind = compiled.of_outline(_kind)
        if kind != "bool":
            yield Finding(
                message=f"the result is {kind}, never true or false: every evaluation fails",
                where=checked.at(expression),
                help="Compare the result with a value.",
            )


def _kind(compiled: Compiled) -> str:
    return result_kind(compiled.tree, compiled.dialect.libraries) if compiled.tree else "bool"
