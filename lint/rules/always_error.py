"""An expression reads a list, a boolean or a text as another type, so every evaluation fails.

## What

The result of `filter` or `map` is a list, and so is `status.conditions`. A list has no fields and
no named elements: `status.conditions.Ready`, `status.conditions['Ready']` and
`status.conditions.filter(...).status` fail on every object. The result of `exists` and `all` is a
boolean, so `status.conditions.exists(...).status` fails as well.

`in` looks in a list or a map: `status.phase in 'Ready'` fails.

`status.conditions` counts as a list only if no CRD of the kind is known; otherwise the CRD
decides (see `crd-type`). The finding is a warning if `&&`, `||`, `?:` or a macro may
skip that part.

## Why

A controller that only parses the expression accepts it. Every evaluation then fails, and the
reconciliation waits until its timeout.

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
      current: status.conditions.filter(e, e.type == 'Synced').status == 'True'
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

from collections.abc import Iterator, Mapping

from celvet.lint.cel import Compiled
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    Node,
    Select,
    always_evaluated,
    dotted_path,
    parents,
    walk,
)
from celvet.lint.checks import CelExpression, CheckedObject
from celvet.lint.model import Finding, Severity
from celvet.lint.safe_text import one_line
from celvet.record import record

SEVERITY = Severity.ERROR

_CONDITIONS = ("status", "conditions")
_INDEXING = frozenset({"_[_]", "_[?_]"})
_RESULTS = {
    **dict.fromkeys(("filter", "map"), "list"),
    **dict.fromkeys(("all", "exists", "exists_one"), "boolean"),
}
"""What a macro gives."""
_FIELDS = frozenset({"status", "reason", "message", "type"})


@record
class _Read:
    """A node that reads a field or key by name from the value of `container`."""

    node: Node
    container: Node
    name: str


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report fields and names that are read from a list or a boolean."""
    for expression in checked.cel:
        program = expression.program
        looks_in_text = program.of_outline(_may_look_in_a_text)
        reads_list = program.of_outline(_may_read_a_list)
        if program.refusals or not (looks_in_text or reads_list) or not program.tree:
            continue
        if looks_in_text:
            yield from _in_texts(checked, expression, program.tree)
        if not reads_list:
            continue
        # Without a schema, the conditions are a list by the API conventions; with one, `crd-type`
        # tells.
        root = expression.dialect.object
        has_schema = checked.schema_of(*expression.objects) is not None
        path = "" if has_schema else ".".join((root, *_CONDITIONS) if root else _CONDITIONS)
        for reading in _reads(program.tree):
            if sort := _sort(reading.container, path):
                up = parents(program.tree)
                if sort == "boolean" and _is_asked(reading.node, up):
                    continue
                always = always_evaluated(program.tree, reading.node, up)
                yield Finding(
                    message=_message(program.text, reading, sort, always=always),
                    where=checked.at(expression, reading.node.span),
                    help=_help(program.text, reading, up),
                    severity=None if always else Severity.WARNING,
                )


def _may_read_a_list(program: Compiled) -> bool:
    """Whether an expression may read something by name from a list or a boolean."""
    reads = _reads(program.tree) if program.tree else ()
    return any(_sort(reading.container, "") or _is_named(reading.container) for reading in reads)


def _may_look_in_a_text(program: Compiled) -> bool:
    """Whether an expression may have `in` before a text."""
    return any(True for _ in _lookups(program.tree)) if program.tree else False


def _lookups(root: Node) -> Iterator[Call]:
    """Each `x in 'text'`."""
    for node in walk(root):
        if isinstance(node, Call) and node.function == "@in":
            container = node.args[1]
            if isinstance(container, Literal) and container.kind == "string":
                yield node


def _in_texts(checked: CheckedObject, expression: CelExpression, root: Node) -> Iterator[Finding]:
    program = expression.program
    for node in _lookups(root):
        always = always_evaluated(root, node, parents(root))
        text = one_line(program.text[slice(*node.args[1].span)])
        yield Finding(
            message="`in` looks in a list or a map, and"
            f" `{text}` is a text: {_consequence(always=always)}",
            where=checked.at(expression, node.args[1].span),
            help=f"Write `[{text}]`, or use `contains` for a part of a text.",
            severity=None if always else Severity.WARNING,
        )


def _reads(root: Node) -> Iterator[_Read]:
    for node in walk(root):
        if isinstance(node, Select):
            yield _Read(node, node.operand, node.field)
        elif isinstance(node, Call) and node.function in _INDEXING:
            container, key = node.args
            if isinstance(key, Literal) and key.kind == "string":
                yield _Read(node, container, str(key.value))


def _sort(node: Node, path: str) -> str:
    """`list` or `boolean`, by the form of a node or since it is at a path of a list; else empty."""
    if isinstance(node, Macro):
        return _RESULTS.get(node.name, "")
    is_list = isinstance(node, ListExpr) or (_is_named(node) and dotted_path(node) == path)
    return "list" if is_list else ""


def _is_asked(node: Node, up: Mapping[Node, Node]) -> bool:
    """Whether an expression only asks for a field, which need not be an error of a boolean."""
    above = up.get(node)
    is_tested = isinstance(above, Macro) and above.name == "has"
    return is_tested or (isinstance(node, Select) and node.optional)


def _is_named(node: Node) -> bool:
    """Whether a node is a field of the name of the list."""
    return isinstance(node, Select) and node.field == _CONDITIONS[-1]


def _message(text: str, read: _Read, sort: str, *, always: bool) -> str:
    source = one_line(text[slice(*read.container.span)])
    return f"`{source}` is a {sort} without `{one_line(read.name)}`: {_consequence(always=always)}"


def _consequence(*, always: bool) -> str:
    return "every evaluation fails" if always else "it fails where it is read"


def _help(text: str, read: _Read, up: Mapping[Node, Node]) -> str:
    """The advice: `exists` with the comparison of the expression."""
    node, container, name = read.node, read.container, read.name
    top, field = node, name
    if not isinstance(container, Macro):
        field = "status"
        above = up.get(node)
        if isinstance(above, Select) and above.field in _FIELDS and not above.optional:
            top, field = above, above.field
    comparison = _comparison(text, top, up)
    could_be_type = name not in _FIELDS and "'" not in name and "\\" not in name
    if (
        isinstance(container, Macro)
        and container.name in ("filter", "exists")
        and container.target
        and comparison
    ):
        (variable,) = container.variables
        target = text[slice(*container.target.span)]
        condition = text[slice(*container.args[0].span)]
        if "||" in condition or "?" in condition:
            condition = f"({condition})"
        replacement = f"{target}.exists({variable}, {condition} && {variable}.{field} {comparison})"
    elif could_be_type and dotted_path(container) and comparison:
        replacement = (
            f"{dotted_path(container)}.exists(c, c.type == '{name}' && c.{field} {comparison})"
        )
    elif isinstance(container, Macro) and _RESULTS.get(container.name) == "boolean":
        return f"Test `{one_line(name)}` of the element inside `{container.name}`."
    else:
        return "Use `exists` with a condition on its element."
    return f"Write `{' '.join(replacement.split())}`."


def _comparison(text: str, node: Node, up: Mapping[Node, Node]) -> str:
    """`== 'True'` of a node that is compared so; empty if it is not."""
    above = up.get(node)
    if isinstance(above, Call) and above.function in ("_==_", "_!=_") and above.args[0] is node:
        right_side = above.args[1]
        if isinstance(right_side, Literal | Ident):
            return f"{'==' if above.function == '_==_' else '!='} {text[slice(*right_side.span)]}"
    return ""
