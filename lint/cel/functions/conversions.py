"""Reads and prints timestamps, exactly as Go does.

cel-cpp accepts some that cel-go refuses, such as one with a lower-case `t`. Mirrors `time` of Go
1.24, as cel-go 0.26.1 calls it (`common/types`).
"""

from __future__ import annotations

import datetime

from celvet.regex import regex

FIRST_SECOND, LAST_SECOND = -62135596800, 253402300799
"""The years 1 to 9999, in seconds since 1970."""

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_TIMESTAMP = regex(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_RFC3339 = regex(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:"
    r"([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)


def is_rfc3339(text: str) -> bool:
    """Whether a timestamp has the form of RFC 3339; `time.Parse` is more lenient."""
    return _RFC3339.fullmatch(text) is not None


def parse_timestamp(text: str) -> tuple[int, int]:
    """`time.Parse` by RFC 3339: seconds since 1970, and nanoseconds of the second.

    The range is not checked; see `FIRST_SECOND`. Raises `ValueError`.
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
