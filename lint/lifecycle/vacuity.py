"""Tells whether an expression is true only because nothing was there to be false.

`list.filter(...).all(...)` is true of a list without a match. The expression is
asked again with each such `all` demanding at least one element.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lint.cel import Compiled, compile_expression
from lint.cel.tree import Call, Literal, Macro, Node, Select, parents, qualified
from lint.lifecycle.naming import is_conditions
from lint.model import Span, Value

_LONGEST = 300
"""Code points of a proposal."""

_MOST = 8
"""So many `all` of one expression are looked at."""


@dataclass(frozen=True, slots=True)
class Vacuity:
    """An `all` on what may be empty; `instead` is what to write, empty where that is not plain."""

    span: Span
    instead: str


def vacuity(program: Compiled, variables: Value) -> Vacuity | None:
    """The first `all` that makes a true expression true by having nothing to look at."""
    if program.tree is None or program.evaluate(variables).value is not True:
        return None
    macros = list(islice(_alls(program.tree), _MOST))
    for macro in macros:
        if _demanding(program, [macro]).evaluate(variables).value is False:
            return Vacuity(macro.span, _instead(program, macro))
    if len(macros) > 1 and _demanding(program, macros).evaluate(variables).value is False:
        return Vacuity(macros[0].span, _instead(program, macros[0]))
    return None


def vacuities(program: Compiled) -> Iterator[Vacuity]:
    """Every outermost `all` that may be true by having nothing to look at."""
    for macro in islice(_alls(program.tree), _MOST) if program.tree else ():
        yield Vacuity(macro.span, _instead(program, macro))


def _alls(root: Node) -> Iterator[Macro]:
    """The outermost `all` macros that are not negated, in the order of the text."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Macro) and node.name == "all":
            yield node
        elif not (isinstance(node, Call) and node.function == "!_"):
            pending.extend(reversed(node.children))


def _demanding(program: Compiled, macros: list[Macro]) -> Compiled:
    text = program.text
    for macro in reversed(macros):
        start, end = macro.span
        whole = text[start:end]
        text = f"{text[:start]}(({_target(text, macro)}).size() > 0 && {whole}){text[end:]}"
    return compile_expression(text, program.dialect)


def _instead(program: Compiled, macro: Macro) -> str:
    """`exists` for the `all`, or before it where several elements can match; empty if it is there.

    Of one type there is one condition at most, so that `exists` alone will do.
    """
    text, inner = program.text, macro.target
    if not (isinstance(inner, Macro) and inner.name == "filter" and inner.target):
        return ""
    if inner.variables != macro.variables or "\n" in text[slice(*macro.span)]:
        return ""
    asked = f"{text[slice(*inner.target.span)]}.exists({macro.variables[0]}, "
    if f"{asked}{text[slice(*inner.args[0].span)]})" in text:
        return ""
    if _has_one(inner):
        conditions = [_joined(text, each.args[0]) for each in (inner, macro)]
        instead = f"{asked}{' && '.join(conditions)})"
    else:
        instead = f"{asked}{text[slice(*inner.args[0].span)]}) && {text[slice(*macro.span)]}"
        instead = f"({instead})" if _is_operand(program, macro) else instead
    return instead if len(instead) <= _LONGEST else ""


def _has_one(selected: Macro) -> bool:
    """Whether a `filter` leaves one condition at most, for its type is one text."""
    named = isinstance(selected.target, Select) and is_conditions((selected.target.field,))
    return named and any(_pins(each, selected.variables[0]) for each in _required(selected.args[0]))


def _required(node: Node) -> Iterator[Node]:
    """The operands of `&&`, or the node itself."""
    if isinstance(node, Call) and node.function == "_&&_":
        for each in node.args:
            yield from _required(each)
    else:
        yield node


def _pins(node: Node, variable: str) -> bool:
    """Whether this is `variable.type == 'text'`, either way round."""
    if not (isinstance(node, Call) and node.function == "_==_"):
        return False
    texts = [each for each in node.args if isinstance(each, Literal) and each.kind == "string"]
    return len(texts) == 1 and any(qualified(each) == f"{variable}.type" for each in node.args)


def _is_operand(program: Compiled, node: Node) -> bool:
    """Whether it stands where `&&` would be torn apart."""
    parent = parents(program.tree).get(node) if program.tree else None
    loose = ("_&&_", "_||_", "_?_:_")
    return isinstance(parent, Call) and parent.function not in loose


def _joined(text: str, node: Node) -> str:
    written = text[slice(*node.span)]
    weak = isinstance(node, Call) and node.function in ("_||_", "_?_:_")
    return f"({written})" if weak else written


def _target(text: str, macro: Macro) -> str:
    return text[slice(*macro.target.span)] if macro.target else ""
