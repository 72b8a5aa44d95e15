"""Vacuous truth: an expression that is true only because nothing matches.

`list.filter(...).all(...)` is true for a list without a match. The expression is
evaluated again, with each such `all` requiring at least one element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.syntax.tree import Call, Literal, Macro, Node, Select, dotted_path, parents
from celvet.lint.model import Span, Value
from celvet.lint.predict.reads.field_names import is_conditions
from celvet.record import record
from celvet.regex import regex

_LONGEST = 300
"""Code points of a proposal."""

_LINE = regex(r"\s*\n\s*")
_LINE_OF_CALL = regex(r"\s*\n\s*(?=\.)")
_CALL = regex(r"\b(?P<name>filter)\s*\(\s*\w+\s*,(?P<lead>(?:[\s(]|//[^\n]*\n)*)$")
_BETWEEN = regex(r"(?:\s*\))+(?P<layout>(?:\s|//[^\n]*\n)*)\.\s*all\s*\(\s*\w+\s*,(?P<lead>[\s(]*)")

SpanEdit: TypeAlias = tuple[Span, str]

_MOST = 8
"""How many `all` of one expression are tried."""


@record
class Vacuity:
    """An `all` on a list that may be empty.

    `edits` replace parts of the expression, in order; lines and comments stay. There are none if
    that is not easy. `instead` is the new text of the `all` on one line, empty if it is too long.
    """

    span: Span
    instead: str
    edits: tuple[SpanEdit, ...] = ()


def find_vacuity(program: Compiled, variables: Value) -> Vacuity | None:
    """The first `all` that makes an expression true only because its list is empty."""
    if program.tree is None or program.evaluate(variables).value is not True:
        return None
    macros = list(islice(_alls(program.tree), _MOST))
    for macro in macros:
        if _demanding(program, [macro]).evaluate(variables).value is False:
            return _vacuity(program, macro)
    # Of alternatives, each alone may be replaced by the other: only together do they decide.
    if len(macros) > 1 and _demanding(program, macros).evaluate(variables).value is False:
        return _vacuity(program, macros[0])
    return None


def all_vacuities(program: Compiled) -> Iterator[Vacuity]:
    """Every outermost `all` that is true for an empty list."""
    for macro in islice(_alls(program.tree), _MOST) if program.tree else ():
        yield _vacuity(program, macro)


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
        source = text[start:end]
        text = f"{text[:start]}(({_target(text, macro)}).size() > 0 && {source}){text[end:]}"
    return compile_expression(text, program.dialect)


def _vacuity(program: Compiled, macro: Macro) -> Vacuity:
    edits = tuple(_edits(program, macro))
    text, start = program.text[: macro.span.end], macro.span.start
    for span, new in reversed(edits):
        text = text[: span.start] + new + text[span.end :]
    # A comment extends to the end of its line, and a string may have several lines.
    plain = (
        edits
        and len(text) - start <= _LONGEST
        and not any(mark in text[start:] for mark in ("//", "'''", '"""'))
    )
    instead = _LINE.sub(" ", _LINE_OF_CALL.sub("", text[start:])) if plain else ""
    return Vacuity(macro.span, instead, edits)


def _edits(program: Compiled, macro: Macro) -> Iterator[SpanEdit]:
    """Replace the `all` by `exists`, or put one before it if several elements can match.

    There is at most one condition of a type, so `exists` alone suffices.
    """
    text, inner = program.text, macro.target
    if not (isinstance(inner, Macro) and inner.name == "filter" and inner.target):
        return
    call = _CALL.search(text, inner.target.span.end, inner.args[0].span.start)
    if inner.variables != macro.variables or call is None:
        return
    # `filter(...).all(...)` of one condition becomes `exists(... && ...)`.
    if _has_one(inner):
        between = _BETWEEN.fullmatch(text, inner.args[0].span.end, macro.args[0].span.start)
        ending = text[macro.args[0].span.end : macro.span.end]
        has_comment = "//" in ending or all(mark in call["lead"] for mark in ("(", "//"))
        if between and not has_comment:
            yield Span(*call.span("name")), "exists"
            if "(" in call["lead"]:
                yield Span(*call.span("lead")), " "
            yield from _joining(program, inner, macro, between)
        return
    # Of several elements, one must match before all of them are tested.
    demand = f"{text[slice(*inner.target.span)]}.exists({macro.variables[0]}, "
    demand += f"{text[slice(*inner.args[0].span)]})"
    if demand in text or "\n" in demand:
        return
    opening, closing = ("(", ")") if _is_operand(program, macro) else ("", "")
    yield Span(macro.span.start, macro.span.start), f"{opening}{demand} && "
    if closing:
        yield Span(macro.span.end, macro.span.end), closing


def _joining(
    program: Compiled, inner: Macro, macro: Macro, between: re.Match[str]
) -> Iterator[SpanEdit]:
    """Replace the text between the two conditions by `&&`; a comment there stays."""
    first_end, (second_start, second_end) = inner.args[0].span.end, macro.args[0].span
    opening, closing = _brackets(macro.args[0])
    if "//" in between["layout"]:
        yield Span(first_end, between.start("layout")), ""
        yield Span(between.end("layout"), second_start), f"&& {opening}"
    else:
        yield Span(first_end, second_start), f" && {opening}"
    if closing or program.text[second_end : macro.span.end] != ")":
        yield Span(second_end, macro.span.end), f"{closing})"


def _has_one(macro: Macro) -> bool:
    """Whether a `filter` leaves at most one condition, because it tests for one type."""
    of_conditions = isinstance(macro.target, Select) and is_conditions((macro.target.field,))
    operands = _required(macro.args[0])
    return of_conditions and any(_pins(operand, macro.variables[0]) for operand in operands)


def _required(node: Node) -> Iterator[Node]:
    """The operands of `&&`, or the node itself."""
    if isinstance(node, Call) and node.function == "_&&_":
        for operand in node.args:
            yield from _required(operand)
    else:
        yield node


def _pins(node: Node, variable: str) -> bool:
    """Whether this is `variable.type == 'text'`, either way round."""
    if not (isinstance(node, Call) and node.function == "_==_"):
        return False
    texts = [arg for arg in node.args if isinstance(arg, Literal) and arg.kind == "string"]
    return len(texts) == 1 and any(dotted_path(arg) == f"{variable}.type" for arg in node.args)


def _is_operand(program: Compiled, node: Node) -> bool:
    """Whether it is an operand that binds more tightly than `&&`."""
    parent = parents(program.tree).get(node) if program.tree else None
    loose = ("_&&_", "_||_", "_?_:_")
    return isinstance(parent, Call) and parent.function not in loose


def _brackets(node: Node) -> tuple[str, str]:
    """The parentheses that an operand of `&&` needs."""
    weak = isinstance(node, Call) and node.function in ("_||_", "_?_:_")
    return ("(", ")") if weak else ("", "")


def _target(text: str, macro: Macro) -> str:
    return text[slice(*macro.target.span)] if macro.target else ""
