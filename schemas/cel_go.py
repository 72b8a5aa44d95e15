"""The differences between releases of cel-go, by the release that changed them.

All comparisons of cel-go versions are here. The file of a library says which release brought which
version of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

CelGoChange: TypeAlias = Literal[
    "float-format",
    "outer-name",
    "quoted-field",
    "short-fraction",
    "strict-or",
    "strict-search",
    "strict-time",
    "text-duration",
    "unordered-nan",
]

_SINCE: Mapping[CelGoChange, str] = {
    # `%f` and `%e` print an integer as the double that it is (ext/formatting.go).
    "float-format": "0.27.0",
    # `.x` in a macro that binds x is the variable outside (interpreter/attributes.go).
    "outer-name": "0.27.0",
    # ``labels.`a.b/c` `` is a field (parser/parser.go, enableIdentEscapeSyntax).
    "quoted-field": "0.28.0",
    # `%.101f` is not a clause of a format string (ext/formatting.go).
    "short-fraction": "0.29.0",
    # `x.or(...)` and `x.orValue(...)` fail unless x is an optional (cel/library.go).
    "strict-or": "0.28.0",
    # `indexOf('', 9)` is at most the length of the text, and fails below 0 (ext/strings.go).
    "strict-search": "0.29.0",
    # A timestamp has all the digits of RFC 3339 and no comma (common/types/timestamp.go), a time
    # zone less than 24 hours and less than 60 minutes (common/stdlib/standard.go).
    "strict-time": "0.31.0",
    # The type checker refuses `duration(1)`, which failed before (common/stdlib/standard.go).
    "text-duration": "0.29.0",
    # NaN is neither less nor greater than anything; before, that was an error
    # (common/types/double.go).
    "unordered-nan": "0.31.0",
}


def has(version: str, change: CelGoChange) -> bool:
    """Whether a version of cel-go has a change; an empty version is the newest."""
    return at_least(version, _SINCE[change])


def at_least(version: str, other: str) -> bool:
    """Whether a release is not older than another; an empty version is the newest."""
    return not version or numbers(version) >= numbers(other)


@lru_cache(maxsize=64)
def changes(version: str) -> frozenset[CelGoChange]:
    """All changes that a version has."""
    return frozenset(change for change in _SINCE if has(version, change))


def numbers(version: str) -> tuple[int, ...]:
    """A release such as `0.26.1`, `2.6` or `v1.9.5`, as numbers that compare."""
    return tuple(map(int, version.removeprefix("v").split(".")))
