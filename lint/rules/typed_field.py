"""An expression compares a field with a value that the controller's copy never has.

## What

Flux reads a Kustomization or HelmRelease into a Go type before it shows it to a `readyExpr` as
`dep` or `self`. Its expressions therefore see another object than `kubectl get` prints:

- a field that is false, 0 or empty is left out: `dep.spec.wait == false` is never true,
  and fails with `no such key: wait` where `wait` is false
- durations are printed as Go does: `60m` reads `1h0m0s`
- `dep` has no `kind` and no `apiVersion`

Nothing is reported if the expression tests the field with `has`.

## Why

The expression is right for the object that the API server stores, but never true for the
controller: the object waits for its dependency for ever.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  interval: 1h
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: infra
      readyExpr: >-
        dep.spec.suspend == false &&
        dep.status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```

## Good

```yaml
  dependsOn:
    - name: infra
      readyExpr: >-
        !has(dep.spec.suspend) &&
        dep.metadata.generation == dep.status.observedGeneration &&
        dep.status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.syntax.tree import (
    Call,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    dotted_path,
    parents,
    walk,
)
from celvet.lint.checks import CelExpression, Check, CheckedObject, shown_duration
from celvet.lint.model import Finding, Severity
from celvet.schemas.kind import TypedField

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report comparisons that can hold only for the stored object."""
    for check_ in checked.checks:
        for expression in check_.cel if check_.copies.lacking else ():
            if expression.program.tree and not expression.program.refusals:
                yield from _findings(checked, check_, expression, expression.program.tree)


def _findings(
    checked: CheckedObject, check_: Check, expression: CelExpression, root: Node
) -> Iterator[Finding]:
    up = parents(root)
    tested_names = {
        dotted_path(child) for node in walk(root) if _is_has(node) for child in node.children
    }
    for node in walk(root):
        path = dotted_path(node)
        name, _, field = path.partition(".")
        if not field or name not in check_.copies.lacking or path in tested_names:
            continue
        field_type = check_.copies.type.at(field.split("."))
        if field in check_.copies.lacking[name]:
            message, help_, top = _lacking(name, field, path), "Remove what reads it.", node
        elif field_type and (comparison := _compared(node, up, field_type, path)):
            message, help_, top = comparison
        else:
            continue
        yield Finding(message=message, where=checked.at(expression, top.span), help=help_)


def _is_has(node: Node) -> bool:
    return isinstance(node, Macro) and node.name == "has"


def _lacking(name: str, field: str, path: str) -> str:
    return f"the controller shows `{name}` without `{field}`: `{path}` gives `no such key: {field}`"


def _compared(
    node: Node, up: dict[Node, Node], typed_field: TypedField, path: str
) -> tuple[str, str, Node] | None:
    """Message, help and place of a comparison with what the copy of a field never is."""
    above = up.get(node)
    if not isinstance(above, Call):
        return None
    if typed_field.duration and above.function in ("_==_", "_!=_", "@in"):
        return _duration(above, path)
    if not typed_field.omitempty:
        return None
    top = up.get(above) if above.function == "size" else above
    if isinstance(top, Call) and (zero := _zero(top, sized=top is not above)):
        field = path.rpartition(".")[2]
        message = (
            f"`{path}` is left out when it is {zero}: this gives `no such key: {field}`, never true"
        )
        return message, f"Write `!has({path})`.", top
    return None


def _duration(comparison: Call, path: str) -> tuple[str, str, Node] | None:
    last_arg = comparison.args[-1]
    operands = last_arg.elements if isinstance(last_arg, ListExpr) else comparison.args
    for operand in operands:
        if isinstance(operand, Literal) and isinstance(operand.value, str):
            duration = shown_duration(operand.value)
            if duration != operand.value:
                message = (
                    f"`{path}` is never `{operand.value}`: the controller shows it as `{duration}`"
                )
                return message, f"Write `{duration}`.", operand
    return None


def _zero(node: Call, *, sized: bool) -> str:
    """The zero value with which an operator compares, in words; empty if it does not."""
    if node.function == "!_":
        return "" if sized else "false"
    if node.function != "_==_":
        return ""
    for arg in node.args:
        if sized and isinstance(arg, Literal) and arg.value == 0:
            return "empty"
        if not sized and _is_zero(arg):
            return _word(arg)
    return ""


def _is_zero(node: Node) -> bool:
    if isinstance(node, Literal):
        return node.kind != "null" and not node.value
    return isinstance(node, ListExpr | MapExpr) and not node.children


def _word(node: Node) -> str:
    if isinstance(node, Literal) and node.kind == "bool":
        return "false"
    return "0" if isinstance(node, Literal) and node.kind != "string" else "empty"
