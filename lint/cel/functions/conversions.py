"""Reads strings as numbers, booleans and timestamps, exactly as Go does.

cel-cpp accepts some strings that cel-go refuses (` 1` as an int, a lower-case `t` in a timestamp),
and the other way round (`1_000` as a double). Mirrors `strconv` and `time` of Go 1.24, as cel-go
0.26.1 calls them (`common/types`). Every function raises `ValueError`.
"""

from __future__ import annotations

import datetime
import re

from celvet.lint.go.numbers import MAX_UINT64, parse_digits, parse_float
from celvet.regex import regex

FIRST_SECOND, LAST_SECOND = -62135596800, 253402300799
"""The years 1 to 9999, in seconds since 1970."""

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_BOOLS = dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True) | dict.fromkeys(
    ("0", "f", "F", "FALSE", "false", "False"), False
)
_TIMESTAMP = regex(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_RFC3339 = regex(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:"
    r"([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)


def parse_bool(text: str) -> bool:
    """`strconv.ParseBool`."""
    if text not in _BOOLS:
        raise ValueError(text)
    return _BOOLS[text]


def parse_int(text: str) -> int:
    """`strconv.ParseInt` to base 10: a sign, digits, 64 bits."""
    value = parse_digits(text, 10)
    if value is None:
        raise ValueError(text)
    return value


def parse_uint(text: str) -> int:
    """`strconv.ParseUint` to base 10: digits, 64 bits."""
    if not re.fullmatch(r"[0-9]+", text) or int(text) > MAX_UINT64:
        raise ValueError(text)
    return int(text)


def parse_double(text: str) -> float:
    """`strconv.ParseFloat`: decimal or hexadecimal, infinities, no finite number out of range."""
    value = parse_float(text)
    if value is None:
        raise ValueError(text)
    return value


def is_rfc3339(text: str) -> bool:
    """Whether a timestamp has the form of RFC 3339; `time.Parse` is more lenient."""
    return _RFC3339.fullmatch(text) is not None


def parse_timestamp(text: str) -> tuple[int, int]:
    """`time.Parse` by RFC 3339: seconds since 1970, and nanoseconds of the second.

    The range is not checked; see `FIRST_SECOND`.
    """
    parts = _TIMESTAMP.fullmatch(text)
    if parts is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = map(int, parts.groups()[:6])
    moment = datetime.datetime(year, month, day, hour, minute, second, tzinfo=datetime.UTC)
    seconds = (moment - _EPOCH) // datetime.timedelta(seconds=1)
    if parts[8]:
        hours, minutes = int(parts[9]), int(parts[10])
        if hours > 24 or minutes > 60:
            raise ValueError(text)
        seconds -= (1 if parts[8] == "+" else -1) * (hours * 60 + minutes) * 60
    return seconds, int((parts[7] or "0")[:9].ljust(9, "0"))


def print_timestamp(seconds: int) -> str:
    """Seconds since 1970 by RFC 3339, in UTC."""
    moment = _EPOCH + datetime.timedelta(seconds=seconds)
    return f"{moment.replace(tzinfo=None).isoformat()}Z"
