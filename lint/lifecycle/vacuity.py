"""Tells whether an expression is true only because nothing was there to be false.

`list.filter(...).all(...)` is true of a list without a match. The expression is
asked again with each such `all` demanding at least one element.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lint.cel import Compiled, compile_expression
from lint.cel.tree import Call, Macro, Node
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
            return Vacuity(macro.span, _instead(program.text, macro))
    if len(macros) > 1 and _demanding(program, macros).evaluate(variables).value is False:
        return Vacuity(macros[0].span, _instead(program.text, macros[0]))
    return None


def vacuities(program: Compiled) -> Iterator[Vacuity]:
    """Every outermost `all` that may be true by having nothing to look at."""
    for macro in islice(_alls(program.tree), _MOST) if program.tree else ():
        yield Vacuity(macro.span, _instead(program.text, macro))


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


def _instead(text: str, macro: Macro) -> str:
    """`exists` with the conditions of the filter and of the `all` together."""
    inner = macro.target
    if not (isinstance(inner, Macro) and inner.name == "filter" and inner.target):
        return ""
    if inner.variables != macro.variables or "\n" in text[slice(*macro.span)]:
        return ""
    conditions = [_joined(text, each.args[0]) for each in (inner, macro)]
    source = text[slice(*inner.target.span)]
    instead = f"{source}.exists({macro.variables[0]}, {' && '.join(conditions)})"
    return instead if len(instead) <= _LONGEST else ""


def _joined(text: str, node: Node) -> str:
    written = text[slice(*node.span)]
    weak = isinstance(node, Call) and node.function in ("_||_", "_?_:_")
    return f"({written})" if weak else written


def _target(text: str, macro: Macro) -> str:
    return text[slice(*macro.target.span)] if macro.target else ""
