"""Functions in Python: those in which cel-cpp differs from cel-go, and those that guards need.

Their arguments are only strings, numbers and durations: the binding crashes the process if it has
to pass an optional to Python. Mirrors `ext/strings.go` and `common/types` of cel-go 0.26.1.
"""

from __future__ import annotations

import base64
import datetime
import json
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import NoReturn

from celvet.lint.cel.functions import conversions as go
from celvet.lint.cel.functions.constants import DURATION, ConstantValue, convert
from celvet.lint.go.durations import in_seconds, parse_duration
from celvet.lint.go.floats import json_number, without_exponent
from celvet.lint.go.numbers import parse_digits
from celvet.lint.go.quoting import json_string, quote
from celvet.record import record
from celvet.schemas.cel_go import CelGoChange

FAIL = "@fail"
"""Ends an evaluation with an error of the given text."""
UTF8 = "@utf8"
"""Turns bytes into a string, and ends an evaluation with `NO_TEXT` if they are not UTF-8."""
NO_TEXT = "not a text in UTF-8"
CUT = "a text with a NUL"
"""The error where a function returns such a text, of which the binding reads only the beginning."""
LONG = "Iteration budget exceeded"
"""The engine's error for loops that are too long, and ours for a list that is."""
SLOW = "a search that takes too long"
"""The error of a regular expression that takes more steps than celvet allows."""
CUT_TIME = "a time in a list or map"
"""The error where a function gets such a time, which the binding passes to the microsecond."""

_SPECIAL = {"inf": "+Inf", "-inf": "-Inf", "nan": "NaN", "-nan": "NaN"}


@record
class Implementation:
    """A function for the engine: its CEL types, and its implementation.

    An evaluation error is a `ValueError` with cel-go's message.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    run: Callable[..., object]


def _fail(message: str) -> NoReturn:
    raise ValueError(message)


def _utf8(content: bytes) -> str:
    try:
        return bytes(content).decode()
    except UnicodeDecodeError:
        raise ValueError(NO_TEXT) from None


def _check_index(index: int, limit: int) -> int:
    if not 0 <= index <= limit:
        raise ValueError(f"index out of range: {index}")
    return index


def _char_at(text: str, index: int) -> str:
    return text[_check_index(index, len(text)) :][:1]


def _substring_from(text: str, start: int) -> str:
    return text[_check_index(start, len(text)) :]


def _substring(text: str, start: int, end: int) -> str:
    if start > end:
        raise ValueError(f"invalid substring range. start: {start}, end: {end}")
    return text[_check_index(start, len(text)) : _check_index(end, len(text))]


def _index_of(text: str, part: str, start: int) -> int:
    if not part:
        return start
    if start < 0:
        raise ValueError(f"index out of range: {start}")
    return text.find(part, start)


def _last_index_of(text: str, part: str, last: int) -> int:
    if not part:
        return last
    if last < 0:
        raise ValueError(f"index out of range: {last}")
    return -1 if last >= len(text) else text.rfind(part, 0, last + len(part))


def _strict_search(search: Callable[[str, str, int], int]) -> Callable[[str, str, int], int]:
    """The search of cel-go 0.29.0: an empty part is found in the text, or right behind it."""

    def find(text: str, part: str, place: int) -> int:
        if place < 0:
            raise ValueError(f"index out of range: {place}")
        return search(text, part, place) if part else min(place, len(text))

    return find


def json_text(value: object, *, whole: bool = False) -> str:
    """`json.encode` of cel-go 0.31.0; 0.29.0 leaves `<`, `>` and `&` as they are.

    With `whole`, as Go encodes plain values, a large number is no text.
    """
    part = partial(json_text, whole=whole)
    match value:
        case float():
            text = _json_number(value)
        case list():
            text = f"[{','.join(map(part, value))}]"
        case Mapping():
            fields = sorted((_json_key(key), part(item)) for key, item in value.items())
            text = f"{{{','.join(f'{part(key)}:{item}' for key, item in fields)}}}"
        case bytes() | bytearray():
            text = f'"{base64.b64encode(value).decode()}"'
        case datetime.timedelta() | datetime.datetime():
            raise ValueError(CUT_TIME)
        case int() if abs(value) >= 2**53 and not whole:  # the doubles of JSON would round it
            text = f'"{value}"'
        case str():
            text = json_string(value)
        case None | int():
            text = json.dumps(value)
        case _:
            raise ValueError("type conversion not supported for 'type'")
    return text


def _json_key(key: object) -> str:
    if not isinstance(key, str):
        kind = "bool" if isinstance(key, bool) else "int"
        raise TypeError(f"unsupported type conversion from '{kind}' to string")
    return key


def _json_number(value: float) -> str:
    """A number as `encoding/json` of Go writes it."""
    if not math.isfinite(value):
        raise ValueError("google.protobuf.Value cannot have NaN or Infinity")
    return json_number(value)


def _split(text: str, separator: str, most: int = -1) -> list[str]:
    """`strings.SplitN`: without a separator into characters, an empty text into nothing."""
    if most == 0:
        return []
    if separator:
        return text.split(separator, most - 1 if most > 0 else -1)
    count = len(text) if most < 0 else min(most - 1, len(text))
    return [*text[:count], *([text[count:]] if count < len(text) else [])]


def _base64(text: str) -> str:
    """Standard base64 with its padding, which may be left out, and without line breaks.

    The engine decodes it, because the binding cuts the bytes of our functions at a NUL.
    """
    plain = re.sub(r"[\r\n]", "", text)
    digits = plain.rstrip("=")
    padding = len(plain) - len(digits)
    bad_character = re.search(r"[^A-Za-z0-9+/]", digits)
    if bad_character or len(digits) % 4 == 1 or padding not in {0, -len(digits) % 4}:
        # the error gives the start of an unfinished group
        place = (
            bad_character.start()
            if bad_character
            else len(digits) - (len(digits) % 4 == 1 and not padding)
        )
        raise ValueError(f"illegal base64 data at input byte {place}")
    return digits + "=" * (-len(digits) % 4)


def _conversion(function: str, kind: str) -> Callable[[object], object]:
    return lambda value: convert(function, ConstantValue(kind, value)).value


def _timestamp(text: str, changes: frozenset[CelGoChange] = frozenset()) -> str:
    """The text as the engine reads every timestamp, in UTC."""
    seconds = convert("timestamp", ConstantValue("string", text), changes).value
    return f"{go.print_timestamp(seconds)[:-1]}.{go.parse_timestamp(text)[1]:09}Z"


def _strict_timestamp(text: str) -> str:
    return _timestamp(text, frozenset({"strict-time"}))


def _zone(text: str, *, strict: bool = False) -> str:
    """A time zone as the engine reads it."""
    hours_text, colon, minutes_text = text.partition(":")
    if not colon:
        _demand_zone(text)
        return text
    hours, minutes = _number(hours_text), _number(minutes_text)
    if strict and abs(hours) > 23:
        raise ValueError(f"timezone offset hours out of range [-23, 23]: {text}")
    if strict and not 0 <= minutes <= 59:
        raise ValueError(f"timezone offset minutes out of range [0, 59]: {text}")
    minutes_east = hours * 60 + (-minutes if text.startswith("-") else minutes)
    hours, minutes = divmod(abs(minutes_east), 60)
    return f"{'-' if minutes_east < 0 else '+'}{hours:02}:{minutes:02}"


def _demand_zone(name: str) -> None:
    if name in {"", "UTC", "Local"}:
        return
    if ".." in name or name[0] in "/\\":
        raise ValueError("time: invalid location name")
    from zoneinfo import ZoneInfo  # few expressions name a time zone

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"unknown time zone {name}") from None


def _number(digits: str) -> int:
    value = parse_digits(digits, 10)
    if value is None:
        raise ValueError(f"strconv.Atoi: parsing {quote(digits)}: invalid syntax")
    return value


def _duration(text: str) -> str:
    nanoseconds = convert("duration", ConstantValue("string", text)).value
    # in nanoseconds alone, the engine cannot read the smallest duration
    seconds, fraction = divmod(abs(nanoseconds), 10**9)
    return f"{'-' * (nanoseconds < 0)}{seconds}s{fraction}ns"


def _duration_of_int(_: int) -> NoReturn:
    raise ValueError(f"type conversion error from 'int' to '{DURATION}'")


def _text(text: str) -> str:
    """The engine's text of a double, a timestamp or a duration, as Go writes it."""
    if text.endswith("s"):
        return in_seconds(parse_duration(text))
    if "." in text:
        return re.sub(r"\.?0+(?=Z$)", "", text)
    return _SPECIAL.get(text, text)


def _milliseconds(text: str) -> int:
    nanoseconds = parse_duration(text)
    return nanoseconds // 10**6 if nanoseconds >= 0 else -(-nanoseconds // 10**6)


def _print_whole(kind: str) -> Callable[[str, int, int], str]:
    """A printer of integers that Go calls `kind`: clause letter, precision, number.

    cel-go passes an integer to Go's `fmt` for `%f` and `%e`, which reports a mistake:
    `%!f(int64=07)`.
    """

    def printer(letter: str, precision: int, number: int) -> str:
        if letter in "ds":
            return str(number)
        digits = str(abs(number)).zfill(precision) if number or precision else ""
        return f"%!{letter}({kind}={'-' if number < 0 else ''}{digits})"

    return printer


def _print_double(_letter: str, _precision: int, number: float) -> str:
    """A double for `%d` and `%s`: the fewest digits, and no exponent."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return without_exponent(number)


IMPLEMENTATIONS = (
    Implementation(FAIL, ("string",), "dyn", _fail),
    Implementation("@base64.decode", ("string",), "string", _base64),
    Implementation("@bool", ("string",), "bool", _conversion("bool", "string")),
    Implementation("@charAt", ("string", "int"), "string", _char_at),
    Implementation("@double", ("string",), "double", _conversion("double", "string")),
    Implementation("@duration", ("string",), "string", _duration),
    Implementation("@duration", ("int",), "string", _duration_of_int),
    Implementation("@format", ("string", "int", "int"), "string", _print_whole("int64")),
    Implementation("@format", ("string", "int", "uint"), "string", _print_whole("uint64")),
    Implementation("@format", ("string", "int", "double"), "string", _print_double),
    Implementation("@indexOf", ("string", "string", "int"), "int", _index_of),
    Implementation("@int", ("string",), "int", _conversion("int", "string")),
    Implementation("@int", ("bool",), "int", _conversion("int", "bool")),
    Implementation("@json.encode", ("dyn",), "string", json_text),
    Implementation("@lastIndexOf", ("string", "string", "int"), "int", _last_index_of),
    Implementation("@getMilliseconds", ("string",), "int", _milliseconds),
    Implementation("@nanoseconds", ("string",), "int", parse_duration),
    Implementation("@split", ("string", "string"), "list<string>", _split),
    Implementation("@split", ("string", "string", "int"), "list<string>", _split),
    Implementation(
        "@strict-indexOf", ("string", "string", "int"), "int", _strict_search(_index_of)
    ),
    Implementation(
        "@strict-lastIndexOf", ("string", "string", "int"), "int", _strict_search(_last_index_of)
    ),
    Implementation("@strict-timestamp", ("string",), "string", _strict_timestamp),
    Implementation("@strict-zone", ("string",), "string", lambda text: _zone(text, strict=True)),
    Implementation("@string", ("string",), "string", _text),
    Implementation("@substring", ("string", "int"), "string", _substring_from),
    Implementation("@substring", ("string", "int", "int"), "string", _substring),
    Implementation("@timestamp", ("string",), "string", _timestamp),
    Implementation("@uint", ("string",), "uint", _conversion("uint", "string")),
    Implementation(UTF8, ("bytes",), "string", _utf8),
    Implementation("@zone", ("string",), "string", _zone),
)
"""Every such function; overloads of a name are adjacent."""
