"""An expression that does not give true or false.

## What

Health check expressions and gates must answer with a boolean. Where the
controller checks types, as for `dependsOn[].readyExpr`, the type must be `bool`
for certain: a plain field has the type `dyn` and is refused. Elsewhere the
answer is tested at run time; an expression that can only give a text, a number,
a list or an optional value fails each time.

## Why

A refused `readyExpr` stalls the object, with reason `InvalidCELExpression`. An
answer that is no boolean is an evaluation error: the object never gets ready.

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

from celvet.lint.cel.check.result_types import result_kind
from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report results that are refused, and results that can be no boolean."""
    yield from checked.refusals("result-type")
    for expression in checked.cel:
        compiled = expression.program
        if compiled.dialect.result != "bool" or compiled.dialect.checked or compiled.refusals:
            continue
        kind = result_kind(compiled.tree, compiled.dialect.libraries) if compiled.tree else "bool"
        if kind != "bool":
            yield Finding(
                message=f"the expression gives {kind}, never true or false: each evaluation fails",
                where=checked.at(expression),
                help="Compare it with something.",
            )
