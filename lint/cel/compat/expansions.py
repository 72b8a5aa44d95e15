"""Expands macros as cel-go does (`parser/macro.go`, `cel/library.go`).

So errors are absorbed, and loops end, at the same places.
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.engine.proto import Message

_RESULT = "@result"
_MacroExpansion = Callable[..., Message]
"""A function that takes a builder, a target, a variable and one or two arguments."""


def _exists(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    result = b.ident(_RESULT)
    condition = b.call("@not_strictly_false", b.call("!_", result))
    step = b.call("_||_", result, test)
    return b.fold(variable, target, _RESULT, b.truth(value=False), step, result, condition)


def _all(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    result = b.ident(_RESULT)
    condition = b.call("@not_strictly_false", result)
    step = b.call("_&&_", result, test)
    return b.fold(variable, target, _RESULT, b.truth(value=True), step, result, condition)


def _exists_one(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    count, unit = b.ident(_RESULT), b.constant("int", 1)
    step = b.when(test, b.call("_+_", count, unit), count)
    is_single = b.call("_==_", count, unit)
    return b.fold(variable, target, _RESULT, b.constant("int", 0), step, is_single)


def _map(b: TreeBuilder, target: Message, variable: str, *args: Message) -> Message:
    """`map(x, value)`, or with a test in between."""
    result = b.ident(_RESULT)
    longer = b.call("_+_", result, b.sequence(args[-1:]))
    step = b.when(args[0], longer, result) if len(args) == 2 else longer
    return b.fold(variable, target, _RESULT, b.sequence(()), step, result)


def _filter(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    return _map(b, target, variable, test, b.ident(variable))


def _opt_map(b: TreeBuilder, target: Message, variable: str, value: Message) -> Message:
    return _opt_flat_map(b, target, variable, value, wrap=True)


def _opt_flat_map(
    b: TreeBuilder, target: Message, variable: str, value: Message, *, wrap: bool = False
) -> Message:
    result = b.bind(variable, b.call("value", target=target), value)
    optional = b.call("optional.of", result) if wrap else result
    return b.when(b.call("hasValue", target=target), optional, b.call("optional.none"))


EXPANSIONS: dict[str, _MacroExpansion] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
    "filter": _filter,
    "map": _map,
    "optMap": _opt_map,
    "optFlatMap": _opt_flat_map,
}
"""Every macro but `has`, which is a selection of its own kind."""
