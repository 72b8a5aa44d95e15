"""slim-sprig's functions of times, as far as they are hermetic (date.go, v3.0.0)."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, Decimal

from celvet.lint.go.numbers import MAX_INT64, parse_digits, wrap
from celvet.lint.gotemplate.errors import UnsupportedError
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.values import Value, type_name

_SECOND = 1_000_000_000
_UNITS = {"ns": 1, "us": 1000, "\xb5s": 1000, "\u03bcs": 1000, "ms": 1_000_000}
_UNITS |= {"s": _SECOND, "m": 60 * _SECOND, "h": 3600 * _SECOND}
_PART = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]+)")
_ROUNDED = {"y": 365 * 24 * 3600, "mo": 30 * 24 * 3600, "d": 24 * 3600, "h": 3600, "m": 60, "s": 1}


def _clock(*_: Value) -> Value:
    raise UnsupportedError("its result depends on the clock")


def _date(*_: Value) -> Value:
    raise UnsupportedError("dates are not understood here")


def _parse_duration(text: str) -> int:
    """As `time.ParseDuration`, with 0 for an error."""
    body = text[1:] if text[:1] in ("+", "-") else text
    if body == "0":
        return 0
    total, position = 0, 0
    while position < len(body):
        match = _PART.match(body, position)
        if match is None or not (match[1] or match[2]) or match[3] not in _UNITS:
            return 0
        unit = _UNITS[match[3]]
        total += int(match[1][:30] or 0) * unit + int((match[2] or "0")[:30]) * unit // 10 ** len(
            (match[2] or "0")[:30]
        )
        position = match.end()
        if total > MAX_INT64:
            return 0
    return -total if text.startswith("-") else total


def _show_duration(nanoseconds: int) -> str:
    """As `Duration.String` of whole seconds."""
    seconds = abs(nanoseconds) // _SECOND
    fraction = Decimal(abs(nanoseconds) % _SECOND) / _SECOND
    rest = (seconds % 60 + fraction).quantize(Decimal("1e-9"), ROUND_DOWN).normalize()
    shown = f"{rest:f}s"
    if seconds >= 60:
        shown = f"{seconds // 60 % 60}m{shown}"
    if seconds >= 3600:
        shown = f"{seconds // 3600}h{shown}"
    return ("-" if nanoseconds < 0 else "") + shown


def _duration(value: Value) -> str:
    seconds = 0
    if isinstance(value, str):
        seconds = parse_digits(value, 10) or 0
    elif type_name(value) == "int64":
        seconds = value
    nanoseconds = wrap(seconds * _SECOND)
    if nanoseconds % _SECOND and abs(nanoseconds) < _SECOND:
        raise UnsupportedError("a duration that overflows")
    return _show_duration(nanoseconds)


def _duration_round(value: Value) -> str:
    nanoseconds = 0
    if isinstance(value, str):
        nanoseconds = _parse_duration(value)
    elif type_name(value) == "int64":
        nanoseconds = value
    amount = abs(nanoseconds)
    for unit, seconds in _ROUNDED.items():
        if amount > seconds * _SECOND:
            return f"{amount // (seconds * _SECOND)}{unit}"
    return "0s"


DATES: dict[str, Function] = {
    "ago": function("any -> string", _clock),
    "duration": function("any -> string", _duration),
    "durationRound": function("any -> string", _duration_round),
    "toDate": function("string string -> time", _date),
    "mustToDate": function("string string -> time", _date),
    "must_date_modify": function("string time -> time", _date),
    "mustDateModify": function("string time -> time", _date),
    "unixEpoch": function("time -> string", _date),
}
