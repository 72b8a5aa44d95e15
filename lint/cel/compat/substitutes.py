"""Calls that give another value in cel-cpp than in cel-go, put by calls of our own.

The functions called are those of `functions`, whose names begin with `@`.
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.cel.compat.builder import Builder
from celvet.lint.cel.compat.type_tests import Value, is_a
from celvet.lint.cel.engine.proto import Message

_ARGUMENTS = {
    "charAt": (2,),
    "indexOf": (3,),
    "lastIndexOf": (3,),
    "split": (2, 3),
    "substring": (2, 3),
}
"""Method -> the numbers of arguments, the target among them, with which it is ours."""

_OF_TYPE = {
    "base64.decode": ("string",),
    "bool": ("string",),
    "double": ("string",),
    "duration": ("string",),
    "getMilliseconds": ("google.protobuf.Duration",),
    "int": ("string", "bool", "google.protobuf.Duration"),
    "string": ("double", "google.protobuf.Duration", "google.protobuf.Timestamp"),
    "timestamp": ("string",),
    "uint": ("string",),
}
"""Function of one argument -> the types of the argument for which it is ours."""

_NORMALISING = frozenset({"duration", "timestamp"})
"""Ours gives a text that the engine's function of the same name then reads."""


def substitute(
    build: Builder, name: str, args: list[Message], theirs: Callable[..., Message]
) -> Message | None:
    """What stands for the call of `name`, or None where the engine's function does.

    `theirs` makes the engine's own call of given arguments.
    """
    if len(args) in _ARGUMENTS.get(name, ()):
        return build.call(f"@{name}", *args)
    if len(args) != 1 or name not in _OF_TYPE:
        return None

    def ours(value: Value) -> Message:
        if name == "string":
            return build.call("@string", theirs(value()))
        called = build.call(f"@{name}", value())
        return theirs(called) if name in _NORMALISING else called

    def choose(value: Value) -> Message:
        return build.when(is_a(build, value, *_OF_TYPE[name]), ours(value), theirs(value()))

    return build.let(args[0], choose)
