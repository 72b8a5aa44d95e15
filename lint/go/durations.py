"""Durations as Go reads and prints them: `1h30m` is `1h30m0s`.

Mirrors `ParseDuration` and `Duration.String` of Go 1.24 (`time/time.go`, `time/format.go`).
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from celvet.lint.go.floats import without_exponent
from celvet.lint.go.numbers import MAX_INT64, MIN_INT64
from celvet.regex import regex

if TYPE_CHECKING:
    from decimal import Decimal

_SECOND = 10**9
_SMALL = {"ns": 1, "µs": 10**3, "ms": 10**6}
_UNITS = {**_SMALL, "us": 10**3, "μs": 10**3, "s": _SECOND, "m": 60 * _SECOND, "h": 3600 * _SECOND}
_PART = regex(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)", re.ASCII)


def parse_duration(text: str) -> int:
    """The nanoseconds of `1h30m`, `-1.5s`, `0`; raises `ValueError` for any other text."""
    sign, magnitude = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    if magnitude == "0":
        return 0
    total, place = 0, 0
    while place < len(magnitude) or not magnitude:
        part = _PART.match(magnitude, place)
        if part is None or not (part[1] or part[2]):
            raise ValueError(text)
        unit = _UNITS[part[3]]
        total += int(part[1] or 0) * unit + _fraction(part[2] or "", unit)
        place = part.end()
    if not MIN_INT64 <= sign * total <= MAX_INT64:
        raise ValueError(text)
    return sign * total


def duration(text: str) -> timedelta | None:
    """A duration, cut to microseconds; None for a text that is none."""
    try:
        return timedelta(microseconds=parse_duration(text) // 1000)
    except ValueError:
        return None


def _fraction(digits: str, unit: int) -> int:
    """Nanoseconds of the digits after the point, as inexact as Go computes them."""
    significant = digits[:19] if int(digits[:19] or 0) <= MAX_INT64 + 1 else digits[:18]
    return int(float(int(significant or 0)) * (float(unit) / 10.0 ** len(significant)))


def in_seconds(nanoseconds: int) -> str:
    """`-1.5s`: seconds alone, as inexact as `Duration.Seconds` computes them."""
    seconds, fraction = divmod(abs(nanoseconds), _SECOND)
    size = without_exponent(float(seconds) + fraction / 1e9)
    return f"{'-' * (nanoseconds < 0)}{size}s"


def show_duration(nanoseconds: int) -> str:
    """A duration as Go prints it: `1h0m0s`, `1.5s`, `250ms`, `0s`."""
    from decimal import Decimal  # few runs print one

    size = abs(nanoseconds)
    if 0 < size < _SECOND:
        name, unit = next(row for row in reversed(_SMALL.items()) if row[1] <= size)
        text = _number(Decimal(size) / unit) + name
    else:
        seconds = size // _SECOND
        text = _number(seconds % 60 + Decimal(size % _SECOND) / _SECOND) + "s"
        if seconds >= 60:
            text = f"{seconds // 60 % 60}m{text}"
        if seconds >= 3600:
            text = f"{seconds // 3600}h{text}"
    return ("-" if nanoseconds < 0 else "") + text


def _number(value: Decimal) -> str:
    return f"{value.normalize():f}"
