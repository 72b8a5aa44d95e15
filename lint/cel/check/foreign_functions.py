"""Functions that a dialect lacks: the libraries that have them, and what to write instead.

Users copy expressions from validation rules of Kubernetes, from the CEL
playground, from newer versions of CEL and from other languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from celvet.record import record
from celvet.schemas.library import library, library_names

_INSTEAD = {
    "write `size(...)`": "len length count",
    "write `.lowerAscii()`": "lower toLower toLowerCase tolower downcase",
    "write `.upperAscii()`": "upper toUpper toUpperCase toupper upcase",
    "write `.trim()`": "strip trimSpace",
    "write `.contains(...)` for a string, `x in list` for a list": "includes include",
    "write `.exists(x, ...)`": "any some anyMatch",
    "write `.all(x, ...)`": "every allMatch forall",
    "write `.exists_one(x, ...)`": "existsOne",
    "write `.matches(...)`": "match regexMatch matchesRegex regex",
    "write `.startsWith(...)`": "hasPrefix",
    "write `.endsWith(...)`": "hasSuffix",
    "write `int(...)`": "parseInt toInt",
    "write `string(...)`": "toString str",
    "write `.?field.orValue(...)`": "default get getOrDefault coalesce",
    "compare with a time in the object: there is no clock": "now today time.now time.Now",
    "write `.filter(x, ...)[0]`": "find first_where",
    "write `has(x.field)`": "hasField exists_field hasKey containsKey",
}
"""Hint -> the names of the function in other languages."""


@record
class ForeignFunction:
    """The library that has a function, and what to write instead; each may be empty."""

    library: str
    instead: str


def look_up(name: str) -> ForeignFunction:
    """The library of a function that the dialect lacks, and the hint for it."""
    return ForeignFunction(_titles().get(name, ""), _replacements().get(name, ""))


@cache
def _titles() -> Mapping[str, str]:
    """Function -> the title of the library that has it.

    If several have it, a library in which it is not a method is preferred (`ip` of addresses, not
    of networks), then one that the engine has.
    """
    owners = [
        (function.style == "method", not source.in_engine, source.name, name, source.title)
        for source in map(library, library_names())
        for name, function in source.functions.items()
    ]
    return {name: title for *_, name, title in sorted(owners, reverse=True)}


@cache
def _replacements() -> Mapping[str, str]:
    return {name: instead for instead, names in _INSTEAD.items() for name in names.split()}
