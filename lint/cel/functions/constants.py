"""Conversions as cel-go does them, those of constants while it plans a program.

cel-go converts a constant while planning, and refuses the whole expression if it cannot, wherever
the constant is (`interpreter/decorators.go`, `maybeOptimizeConstUnary`; the conversions are those
of `common/types`, with `strconv` of Go 1.24). cel-cpp accepts some strings that cel-go refuses
(` 1` as an int), and the other way round (`1_000` as a double).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celvet.lint.cel.functions import conversions as go
from celvet.lint.go.durations import in_seconds, parse_duration
from celvet.lint.go.floats import shortest
from celvet.lint.go.numbers import MAX_INT64, MAX_UINT64, MIN_INT64, parse_digits, parse_float
from celvet.lint.go.quoting import quote
from celvet.record import record
from celvet.schemas.cel_go import CelGoChange

TIMESTAMP, DURATION = "google.protobuf.Timestamp", "google.protobuf.Duration"


@record
class ConstantValue:
    """A CEL type and a value.

    The value is Python's own for a scalar, seconds for a timestamp, nanoseconds
    for a duration, and nothing for a list, a map and a type.
    """

    kind: str
    value: Any = None


class BadConversion(ValueError):  # noqa: N818 - a property of the expression
    """The conversion cannot be done; the text is cel-go's."""


def convert(
    function: str, constant: ConstantValue, changes: frozenset[CelGoChange] = frozenset()
) -> ConstantValue:
    """`function(constant)`, by a cel-go with these changes; raises `BadConversion`."""
    target = {"timestamp": TIMESTAMP, "duration": DURATION}.get(function, function)
    if function == "dyn" or (constant.kind == target and function != "type"):
        return constant
    if function == "type":
        return ConstantValue("type")
    conversion = _CONVERSIONS.get((target, constant.kind))
    if conversion is None or (conversion is _duration_of_int and "text-duration" in changes):
        raise BadConversion(f"no such overload: {function}({constant.kind})")
    if (target, constant.kind) == (TIMESTAMP, "string") and "strict-time" in changes:
        _demand_rfc3339(constant.value)
    try:
        value = conversion(constant.value)
    except BadConversion:
        raise
    except ValueError:
        value = None
    if value is None:
        raise BadConversion(f"type conversion error from '{constant.kind}' to '{target}'")
    return ConstantValue(target, value)


def _int_of_double(value: float) -> int:
    # Both bounds are out of range: cel-go compares with the nearest doubles.
    if not MIN_INT64 < value < MAX_INT64:
        raise BadConversion("integer overflow")
    return int(value)


def _int_of_uint(value: int) -> int:
    if value > MAX_INT64:
        raise BadConversion("integer overflow")
    return value


def _uint(value: float) -> int:
    if not 0 <= value < MAX_UINT64:
        raise BadConversion("unsigned integer overflow")
    return int(value)


def _seconds(value: int) -> int:
    if not go.FIRST_SECOND <= value <= go.LAST_SECOND:
        raise BadConversion("timestamp overflow")
    return value


def _demand_rfc3339(text: str) -> None:
    if not go.is_rfc3339(text):
        raise BadConversion(f"invalid RFC 3339 timestamp {quote(text)}")


def _duration_of_int(_: int) -> None:
    """No duration, since releases that have the function refuse each value."""


def _unsigned(text: str) -> int | None:
    """`strconv.ParseUint` to base 10: digits, 64 bits."""
    value = int(text) if text.isascii() and text.isdecimal() else None
    return value if value is not None and value <= MAX_UINT64 else None


def _text_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise BadConversion("invalid UTF-8 in bytes, cannot convert to string") from None


_BOOLS = dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True) | dict.fromkeys(
    ("0", "f", "F", "FALSE", "false", "False"), False
)
"""The texts that `strconv.ParseBool` reads."""

_CONVERSIONS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("bool", "string"): _BOOLS.get,
    ("bytes", "string"): str.encode,
    ("double", "int"): float,
    ("double", "string"): parse_float,
    ("double", "uint"): float,
    ("int", "double"): _int_of_double,
    ("int", "string"): lambda text: parse_digits(text, 10),
    ("int", "uint"): _int_of_uint,
    ("int", DURATION): int,
    ("int", TIMESTAMP): int,
    ("string", "bool"): lambda value: str(value).lower(),
    ("string", "bytes"): _text_of_bytes,
    ("string", "double"): lambda value: shortest(value, 21),
    ("string", "int"): str,
    ("string", "uint"): str,
    ("string", DURATION): in_seconds,
    ("string", TIMESTAMP): go.print_timestamp,
    ("uint", "double"): _uint,
    ("uint", "int"): _uint,
    ("uint", "string"): _unsigned,
    (DURATION, "int"): _duration_of_int,
    (DURATION, "string"): parse_duration,
    (TIMESTAMP, "int"): _seconds,
    (TIMESTAMP, "string"): lambda text: _seconds(go.parse_timestamp(text)[0]),
}
"""Target and source -> the conversion; one that fails gives None, or raises `ValueError`."""
