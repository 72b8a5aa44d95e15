"""An expression calls a function that the controller's CEL does not have.

## What

Flux and the Flux Operator provide CEL's standard library with strings, sets, base64,
optional values, and from Flux 2.10 and Flux Operator 0.57 on `json.encode`. They provide
none of Kubernetes' own libraries (`quantity`, `isURL`, `isSorted`...), and no `math`,
`lists`, `cel.bind` or two-variable macros. The finding says where the function exists.

If the controller checks types, it refuses the call. If it only parses the expression, the call
fails when it is reached: this is an error if every evaluation reaches it, and a warning if
`&&`, `||` or an empty list can prevent that.

## Why

The CEL playground and the validation rules of Kubernetes accept expressions that Flux does
not. Nothing shows this until an object is checked: every evaluation fails, and the
reconciliation hangs until its timeout.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: secrets}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: isURL(status.acme.uri)
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel import UnknownCall, compile_expression
from celvet.lint.cel.syntax.tree import always_evaluated
from celvet.lint.checks import CelExpression, CheckedObject, sentence
from celvet.lint.checks.objections import refusals
from celvet.lint.checks.releases import works_in
from celvet.lint.model import Change, Finding, Fix, Severity
from celvet.regex import regex

SEVERITY = Severity.ERROR

_MEANT = regex(r"write `(?P<method>\.?)(?P<name>\w+)(\([^`]*\))?`")
"""A hint that consists of a name, with what its arguments look like."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report calls that are refused, and those that fail when they are reached."""
    yield from refusals(checked, "unknown-function")
    for expression in checked.cel:
        calls_by_name = {call.name: call for call in reversed(expression.program.unknown_calls)}
        for call in reversed(calls_by_name.values()):
            yield _finding(checked, expression, call)


def _finding(checked: CheckedObject, expression: CelExpression, call: UnknownCall) -> Finding:
    tree = expression.program.tree
    works = works_in(
        expression.program,
        lambda other: any(other_call.name == call.name for other_call in other.unknown_calls),
    )
    certain = tree is not None and always_evaluated(tree, call.node)
    return Finding(
        message=call.message,
        where=checked.at(expression, call.node.span),
        help=f"{sentence(call.hint)} {works}".strip(),
        severity=Severity.ERROR if certain else Severity.WARNING,
        fix=_fix(checked, expression, call),
    )


def _fix(checked: CheckedObject, expression: CelExpression, call: UnknownCall) -> Fix | None:
    """The call by the name that the hint has, if that is all there is to change."""
    program, replacement = expression.program, _MEANT.fullmatch(call.hint)
    if replacement is None:
        return None
    # Functions of other languages take more: `parseInt(x, 10)` is not `int(x, 10)`.
    alike = call.node.target is not None if replacement["method"] else len(call.node.children) == 1
    if not alike:
        return None
    start, end = call.node.at
    text = f"{program.text[:start]}{replacement['name']}{program.text[end:]}"
    new_program = compile_expression(text, program.dialect)
    if new_program.refusals or len(new_program.unknown_calls) >= len(program.unknown_calls):
        return None
    change = Change(checked.at(expression, call.node.at), replacement["name"])
    return Fix(f"Write `{replacement['name']}`.", (change,), safe=False)
