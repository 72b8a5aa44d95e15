"""Calls of `format` with a literal string and a literal list, clause by clause.

The engine prints most values; numbers and times that it prints otherwise than
cel-go go through `printing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from celvet.lint.cel.compat.builder import Builder
from celvet.lint.cel.compat.type_tests import Value, by_type
from celvet.lint.cel.engine.proto import Message
from celvet.lint.cel.functions.formatting import Clause, pieces

_OURS = {"d": ("double",), "e": ("int", "uint"), "f": ("int", "uint"), "s": ("double",)}
"""Clause -> the types of number that it prints otherwise."""

_TIMES = ("google.protobuf.Duration", "google.protobuf.Timestamp")


def format_call(build: Builder, text: str, values: Sequence[Message]) -> Message | None:
    """What stands for `text.format([values])`; None where the engine's own error is due."""
    try:
        found = [*pieces(text)]
    except ValueError:
        return None
    if sum(isinstance(piece, Clause) for piece in found) != len(values):
        return None
    rest = iter(values)
    printed = [
        _printed(build, piece, next(rest)) if isinstance(piece, Clause) else build.text(piece)
        for piece in found
    ]
    return reduce(lambda left, right: build.call("_+_", left, right), printed, build.text(""))


def _printed(build: Builder, clause: Clause, value: Message) -> Message:
    def choose(v: Value) -> Message:
        digits = build.constant("int", clause.precision)
        ours = build.call("@format", build.text(clause.letter), digits, v())
        answers = dict.fromkeys(_OURS.get(clause.letter, ()), ours)
        if clause.letter == "s":
            answers |= dict.fromkeys(_TIMES, build.call("@string", build.call("string", v())))
        engine = build.call("format", build.sequence([v()]), target=build.text(clause.text))
        return by_type(build, v, answers, engine)

    return build.let(value, choose)
