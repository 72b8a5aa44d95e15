"""slim-sprig's hermetic functions of times (date.go, v3.0.0)."""

from __future__ import annotations

from celvet.lint.go.durations import parse_duration, show_duration
from celvet.lint.go.numbers import parse_digits, wrap
from celvet.lint.go.step_meter import UnsupportedError
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.template_values import Value, type_name

_SECOND = 1_000_000_000
_ROUNDED = {"y": 365 * 24 * 3600, "mo": 30 * 24 * 3600, "d": 24 * 3600, "h": 3600, "m": 60, "s": 1}


def _clock(*_: Value) -> Value:
    raise UnsupportedError("its result depends on the clock")


def _date(*_: Value) -> Value:
    raise UnsupportedError("dates are not understood here")


def _parse_or_zero(text: str) -> int:
    """As `time.ParseDuration`, with 0 for an error."""
    try:
        return parse_duration(text)
    except ValueError:
        return 0


def _duration(value: Value) -> str:
    seconds = 0
    if isinstance(value, str):
        seconds = parse_digits(value, 10) or 0
    elif type_name(value) == "int64":
        seconds = value
    nanoseconds = wrap(seconds * _SECOND)
    if nanoseconds % _SECOND and abs(nanoseconds) < _SECOND:
        raise UnsupportedError("a duration that overflows")
    return show_duration(nanoseconds)


def _duration_round(value: Value) -> str:
    nanoseconds = 0
    if isinstance(value, str):
        nanoseconds = _parse_or_zero(value)
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
