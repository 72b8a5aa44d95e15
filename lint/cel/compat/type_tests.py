"""Tests of a value's type, and failures, as trees for the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, reduce
from typing import TypeAlias

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.engine.proto import Message
from celvet.lint.cel.functions.go_functions import FAIL

SAMPLES: dict[str, Callable[[TreeBuilder], Message]] = {
    "bool": lambda b: b.truth(value=False),
    "bytes": lambda b: b.constant("bytes", b""),
    "double": lambda b: b.constant("double", 0.0),
    "google.protobuf.Duration": lambda b: b.call("duration", b.text("0s")),
    "google.protobuf.Timestamp": lambda b: b.call("timestamp", b.constant("int", 0)),
    "int": lambda b: b.constant("int", 0),
    "list": lambda b: b.sequence(()),
    "map": lambda b: b.struct("", ()),
    "null_type": lambda b: b.constant("null", None),
    "optional_type": lambda b: b.call("optional.none"),
    "string": lambda b: b.text(""),
    "type": lambda b: b.call("type", b.constant("int", 0)),
    "uint": lambda b: b.constant("uint", 0),
}
"""A value of each type; the type's own name would not do, since a variable may hide it."""


MakeValue: TypeAlias = Callable[[], Message]
"""Makes one more reference to a value that is computed once (`TreeBuilder.let`)."""


def is_a(build: TreeBuilder, value: MakeValue, *kinds: str) -> Message:
    """Whether the value is of one of these types."""
    kind = build.call("type", value())
    tests = [build.call("_==_", kind, type_of_sample(name)) for name in kinds]
    return reduce(lambda left, right: build.call("_||_", left, right), tests)


def by_type(
    build: TreeBuilder, value: MakeValue, answers: Mapping[str, Message], default: Message
) -> Message:
    """The answer for the type of the value, or `other`."""
    for kind, answer in answers.items():
        default = build.when(is_a(build, value, kind), answer, default)
    return default


def fail(build: TreeBuilder, message: str) -> Message:
    """An error with this text."""
    return build.call(FAIL, build.text(message))


@cache
def type_of_sample(name: str) -> Message:
    """The type of this name."""
    build = TreeBuilder()
    return build.call("type", SAMPLES[name](build))
