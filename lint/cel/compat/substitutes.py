"""Replaces calls whose value differs between cel-cpp and cel-go by calls of our functions.

These are in `celvet.lint.cel.functions.go_functions`; their names begin with `@`. A call of
`format` with a literal string and a literal list is replaced clause by clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.compat.type_tests import SAMPLES, MakeValue, by_type, fail, is_a
from celvet.lint.cel.engine.proto import Message
from celvet.lint.cel.functions.formatting import Clause, TooPrecise, pieces
from celvet.schemas.cel_go import CelGoChange

_ARGUMENTS = {
    "charAt": (2,),
    "indexOf": (3,),
    "lastIndexOf": (3,),
    "split": (2, 3),
    "substring": (2, 3),
}
"""Method -> the numbers of arguments, with the target, for which it is replaced."""

_OF_TYPE = {
    "base64.decode": ("string",),
    "bool": ("string",),
    "double": ("string",),
    "duration": ("string",),
    "getMilliseconds": ("google.protobuf.Duration",),
    "int": ("string", "bool", "google.protobuf.Duration"),
    "json.encode": tuple(kind for kind in SAMPLES if kind not in ("optional_type", "type")),
    "string": ("double", "google.protobuf.Duration", "google.protobuf.Timestamp"),
    "timestamp": ("string",),
    "uint": ("string",),
}
"""Function of one argument -> the types of the argument for which it is replaced."""

_STRICT: Mapping[tuple[str, int], CelGoChange] = {
    ("indexOf", 3): "strict-search",
    ("lastIndexOf", 3): "strict-search",
    ("timestamp", 1): "strict-time",
}
"""Function and number of arguments -> the change since which it is replaced."""

_ZONED = frozenset(
    {
        *("getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getMonth"),
        *("getHours", "getMilliseconds", "getMinutes", "getSeconds"),
    }
)
"""Methods of a timestamp that take a time zone."""

_NORMALISING = frozenset({"base64.decode", "duration", "timestamp"})
"""Our function gives a text that the engine's function of the same name then reads."""

_PRINTED_BY_US = {"d": ("double",), "e": ("int", "uint"), "f": ("int", "uint"), "s": ("double",)}
"""Clause -> the types of number that the engine prints otherwise than cel-go."""

_TIMES = ("google.protobuf.Duration", "google.protobuf.Timestamp")


def substitute(
    build: TreeBuilder,
    name: str,
    args: list[Message],
    changes: frozenset[CelGoChange],
    theirs: Callable[..., Message],
) -> Message | None:
    """The replacement of the call of `name`, or None to call the engine's function.

    `changes` are those of cel-go; `theirs` makes the engine's own call of given arguments.
    """
    our_name = f"@strict-{name}" if _STRICT.get((name, len(args))) in changes else f"@{name}"
    if len(args) in _ARGUMENTS.get(name, ()):
        return build.call(our_name, *args)
    if len(args) == 2 and name in _ZONED:
        zone = "@strict-zone" if "strict-time" in changes else "@zone"
        return theirs(args[0], build.call(zone, args[1]))
    if len(args) != 1 or name not in _OF_TYPE:
        return None

    def ours(value: MakeValue) -> Message:
        if name == "string":
            return build.call("@string", theirs(value()))
        called = build.call(our_name, value())
        return theirs(called) if name in _NORMALISING else called

    def choose(value: MakeValue) -> Message:
        return build.when(is_a(build, value, *_OF_TYPE[name]), ours(value), theirs(value()))

    return build.let(args[0], choose)


def negation(build: TreeBuilder, arg: Message) -> Message:
    """`-x`, which cel-go knows of a duration as well."""

    def choose(value: MakeValue) -> Message:
        zero = build.call("duration", build.text("0s"))
        span = build.call("_-_", zero, value())
        is_span = is_a(build, value, "google.protobuf.Duration")
        return build.when(is_span, span, build.call("-_", value()))

    return build.let(arg, choose)


def format_call(
    build: TreeBuilder, text: str, values: Sequence[Message], changes: frozenset[CelGoChange]
) -> Message | None:
    """The replacement of `text.format([values])`; None if the engine fails as cel-go does."""
    try:
        found = [*pieces(text, changes)]
    except TooPrecise as error:
        return fail(build, str(error))
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


def _printed(build: TreeBuilder, clause: Clause, value: Message) -> Message:
    def choose(v: MakeValue) -> Message:
        digits = build.constant("int", clause.precision)
        ours = build.call("@format", build.text(clause.letter), digits, v())
        answers = dict.fromkeys(_PRINTED_BY_US.get(clause.letter, ()), ours)
        if clause.letter == "s":
            answers |= dict.fromkeys(_TIMES, build.call("@string", build.call("string", v())))
        engine = build.call("format", build.sequence([v()]), target=build.text(clause.text))
        return by_type(build, v, answers, engine)

    return build.let(value, choose)
