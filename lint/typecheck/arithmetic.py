"""Operators that compute, on types for which CEL has none (`common/stdlib` of cel-go 0.26.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.cel.syntax.tree import Call
from celvet.lint.typecheck.mismatch import Mismatch, no_operand
from celvet.lint.typecheck.types import Category, Type

_TIMES: frozenset[Category] = frozenset({"duration", "timestamp"})

_ALIKE: Mapping[str, frozenset[Category]] = {
    "+": frozenset({"bytes", "duration", "list", "number", "string"}),
    "-": frozenset({"duration", "number", "timestamp"}),
}
"""The types of which an operator takes two; any other operator takes numbers alone."""


def computed(node: Call, args: Sequence[Type]) -> Iterator[Mismatch]:
    """What is wrong with an operator between two types, of which the object gives one."""
    categories = {kind.category for kind in args}
    what = next((kind for kind in args if kind.path), None)
    if not what or categories & {"", "null"}:
        return  # a null is told apart from other values in no schema
    sign = node.function.strip("_")
    if len(categories) == 1 and what.category in _ALIKE.get(sign, {"number"}):
        return
    if categories == _TIMES and sign in _ALIKE:
        return
    other = next((kind for kind in args if kind.category != what.category), what)
    yield no_operand(what, other, sign, node.at)
