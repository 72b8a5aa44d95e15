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
from celvet.lint.cel.functions.conversions import FIRST_SECOND
from celvet.lint.cel.functions.formatting import Clause, TooPrecise, pieces
from celvet.schemas.cel_go import CelGoChange

_DURATION, _TIMESTAMP = _TIMES = ("google.protobuf.Duration", "google.protobuf.Timestamp")

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
    "getMilliseconds": (_DURATION,),
    "int": ("string", "bool"),
    "json.encode": tuple(kind for kind in SAMPLES if kind not in ("optional_type", "type")),
    "string": ("double", *_TIMES),
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

ZONED = frozenset(
    {"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getMonth"}
    | {"getHours", "getMilliseconds", "getMinutes", "getSeconds"}
)
"""Methods of a timestamp that take a time zone."""

_NORMALISING = frozenset({"base64.decode", "duration", "timestamp"})
"""Our function returns a string that the engine's function of the same name then reads."""

_PRINTED_BY_US = {"d": ("double",), "s": ("double",)}
"""Clause -> the number types that the engine prints differently from cel-go."""

_PRINTED_BEFORE = {**_PRINTED_BY_US, "e": ("int", "uint"), "f": ("int", "uint")}
"""Clause -> the number types that the engine prints differently before `float-format`."""

_FLOATING = {"e": "scientific", "f": "fixed-point"}
"""Clauses for which the engine accepts strings such as `NaN`."""


def substitute(
    build: TreeBuilder,
    name: str,
    args: list[Message],
    changes: frozenset[CelGoChange],
    engine_call: Callable[..., Message],
) -> Message | None:
    """The replacement of the call of `name`, or None to call the engine's function.

    `changes` are those of cel-go; `theirs` makes the engine's own call of given arguments.
    """
    our_name = f"@strict-{name}" if _STRICT.get((name, len(args))) in changes else f"@{name}"
    kinds = _OF_TYPE.get(name, ()) if len(args) == 1 else ()
    if len(args) in _ARGUMENTS.get(name, ()):
        return build.call(our_name, *args)
    if len(args) == 2 and name in ZONED:
        return engine_call(args[0], _zone(build, args[1], changes))
    if len(args) == 1 and name == "optional.ofNonZeroValue":
        return _unless_zero(build, args[0], engine_call)
    if kinds and name == "duration" and "text-duration" not in changes:
        kinds += ("int",)
    return _convert(build, our_name, kinds, args[0], engine_call) if kinds else None


def _convert(
    build: TreeBuilder,
    our_name: str,
    kinds: tuple[str, ...],
    arg: Message,
    engine_call: Callable[..., Message],
) -> Message:
    """A function of one argument, ours for these types of the argument."""
    name = our_name.removeprefix("@").removeprefix("strict-")

    # `string` and `getMilliseconds` read the engine's text of the value.
    def own_call(value: MakeValue) -> Message:
        if name == "string":
            return build.call("@string", engine_call(value()))
        if name == "getMilliseconds":
            return build.call(our_name, build.call("string", value()))
        own_result = build.call(our_name, value())
        return engine_call(own_result) if name in _NORMALISING else own_result

    def choose(value: MakeValue) -> Message:
        # The type is known only while it runs, so both calls are in the tree.
        result = build.when(is_a(build, value, *kinds), own_call(value), engine_call(value()))
        if name == "int":
            nanoseconds = build.call("@nanoseconds", build.call("string", value()))
            result = build.when(is_a(build, value, _DURATION), nanoseconds, result)
        return result

    return build.let(arg, choose)


def time_text(build: TreeBuilder, arg: Message) -> Message:
    """The value, or its text if it is a time."""

    def choose(value: MakeValue) -> Message:
        text = build.call("@string", build.call("string", value()))
        return build.when(is_a(build, value, *_TIMES), text, value())

    return build.let(arg, choose)


def _zone(build: TreeBuilder, arg: Message, changes: frozenset[CelGoChange]) -> Message:
    """The time zone of a method as the engine reads it."""
    function = "@strict-zone" if "strict-time" in changes else "@zone"

    def read(value: MakeValue) -> Message:
        return build.when(is_a(build, value, "string"), build.call(function, value()), value())

    return build.let(arg, read)


def _unless_zero(build: TreeBuilder, arg: Message, engine_call: Callable[..., Message]) -> Message:
    """`optional.ofNonZeroValue(x)`: the zero time of Go is in the year 1."""

    def choose(value: MakeValue) -> Message:
        zero = build.call("timestamp", build.constant("int", FIRST_SECOND))
        optional = build.call("optional.of", value())
        is_zero = build.call("_==_", value(), zero)
        unless_zero = build.when(is_zero, build.call("optional.none"), optional)
        return build.when(is_a(build, value, _TIMESTAMP), unless_zero, engine_call(value()))

    return build.let(arg, choose)


def negation(build: TreeBuilder, arg: Message) -> Message:
    """`-x`, which cel-go also has for durations."""

    def choose(value: MakeValue) -> Message:
        zero = build.call("duration", build.text("0s"))
        span = build.call("_-_", zero, value())
        is_span = is_a(build, value, "google.protobuf.Duration")
        return build.when(is_span, span, build.call("-_", value()))

    return build.let(arg, choose)


def compare_with_nan(
    build: TreeBuilder, operator: str, left: Message, right: Message, *, strict: bool
) -> Message:
    """An order of which one side may be NaN: an error if `strict`, else false."""
    nan_result = fail(build, "NaN values cannot be ordered") if strict else build.truth(value=False)

    def is_nan(value: MakeValue) -> Message:
        differs = build.call("_!=_", value(), value())
        return build.call("_&&_", is_a(build, value, "double"), differs)

    def choose(left_value: MakeValue, right_value: MakeValue) -> Message:
        comparison = build.call(operator, left_value(), right_value())
        # the other side counts even then, as it may be an error
        left_is_nan = build.when(is_nan(right_value), nan_result, nan_result)
        return build.when(
            is_nan(left_value), left_is_nan, build.when(is_nan(right_value), nan_result, comparison)
        )

    return build.let(
        left,
        lambda left_value: build.let(right, lambda right_value: choose(left_value, right_value)),
    )


def format_call(
    build: TreeBuilder, text: str, values: Sequence[Message], changes: frozenset[CelGoChange]
) -> Message | None:
    """The replacement of `text.format([values])`; None if the engine fails as cel-go does."""
    try:
        format_pieces = [*pieces(text, changes)]
    except TooPrecise as error:
        return fail(build, str(error))
    except ValueError:
        return None
    clauses = sum(isinstance(piece, Clause) for piece in format_pieces)
    if clauses > len(values):
        return None
    next_values = iter(values)
    texts = [
        _print_value(build, piece, next(next_values), changes)
        if isinstance(piece, Clause)
        else build.text(piece)
        for piece in format_pieces
    ]
    # Clause by clause, so that those which differ between the engines can be replaced alone.
    text_result = reduce(lambda left, right: build.call("_+_", left, right), texts, build.text(""))
    # cel-go evaluates more values than there are clauses, but does not print them.
    unread_count = build.call("size", build.sequence(values[clauses:]))
    never = build.call("_<_", unread_count, build.constant("int", 0))
    return build.when(never, build.text(""), text_result) if clauses < len(values) else text_result


def _print_value(
    build: TreeBuilder, clause: Clause, value: Message, changes: frozenset[CelGoChange]
) -> Message:
    def choose(v: MakeValue) -> Message:
        digits = build.constant("int", clause.precision)
        own_text = build.call("@format", build.text(clause.letter), digits, v())
        own_types = _PRINTED_BY_US if "float-format" in changes else _PRINTED_BEFORE
        answers = dict.fromkeys(own_types.get(clause.letter, ()), own_text)
        if clause.letter in _FLOATING:
            answers["string"] = fail(
                build,
                f"error during formatting: {_FLOATING[clause.letter]} clause can only be used on "
                "ints, uints, and doubles, was given string",
            )
        if clause.letter == "s":
            answers |= dict.fromkeys(_TIMES, build.call("@string", build.call("string", v())))
        engine = build.call("format", build.sequence([v()]), target=build.text(clause.text))
        return by_type(build, v, answers, engine)

    return build.let(value, choose)
