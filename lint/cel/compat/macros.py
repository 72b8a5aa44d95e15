"""Expands macros into comprehensions, as cel-go does (`parser/macro.go`, `cel/library.go`).

The shapes are cel-go's own, so that errors are absorbed, and loops cut short,
where they are there.
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.engine.proto import Message

_RESULT = "@result"

MacroExpansion = Callable[..., Message]
"""Of a builder, a target, a variable and one or two arguments."""


def _exists(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    found = b.ident(_RESULT)
    going = b.call("@not_strictly_false", b.call("!_", found))
    step = b.call("_||_", found, test)
    return b.fold(variable, target, _RESULT, b.truth(value=False), step, found, going)


def _all(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    held = b.ident(_RESULT)
    going = b.call("@not_strictly_false", held)
    step = b.call("_&&_", held, test)
    return b.fold(variable, target, _RESULT, b.truth(value=True), step, held, going)


def _exists_one(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    count, one = b.ident(_RESULT), b.constant("int", 1)
    step = b.when(test, b.call("_+_", count, one), count)
    single = b.call("_==_", count, one)
    return b.fold(variable, target, _RESULT, b.constant("int", 0), step, single)


def _map(b: TreeBuilder, target: Message, variable: str, *args: Message) -> Message:
    """`map(x, value)`, or with a test in between."""
    made = b.ident(_RESULT)
    longer = b.call("_+_", made, b.sequence(args[-1:]))
    step = b.when(args[0], longer, made) if len(args) == 2 else longer
    return b.fold(variable, target, _RESULT, b.sequence(()), step, made)


def _filter(b: TreeBuilder, target: Message, variable: str, test: Message) -> Message:
    return _map(b, target, variable, test, b.ident(variable))


def _opt_map(b: TreeBuilder, target: Message, variable: str, value: Message) -> Message:
    return _opt_flat_map(b, target, variable, value, wrap=True)


def _opt_flat_map(
    b: TreeBuilder, target: Message, variable: str, value: Message, *, wrap: bool = False
) -> Message:
    bound = b.bind(variable, b.call("value", target=target), value)
    some = b.call("optional.of", bound) if wrap else bound
    return b.when(b.call("hasValue", target=target), some, b.call("optional.none"))


EXPANSIONS: dict[str, MacroExpansion] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
    "filter": _filter,
    "map": _map,
    "optMap": _opt_map,
    "optFlatMap": _opt_flat_map,
}
"""Every macro but `has`, which is a selection of its own kind."""
