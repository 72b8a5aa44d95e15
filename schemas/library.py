"""The function libraries of CEL, as data: `libraries/<name>.json`.

A file has the library's functions and macros in one release (`source`), each with the version of
the library that introduced it. A dialect names a library as `strings`, for its newest `version`,
or as `strings@1`. The engine can evaluate the functions of a library that is `evaluated`. Of other
libraries it knows only the names: a call is accepted, and its value is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from celvet.record import record, replace
from celvet.regex import regex
from celvet.schemas.cel_go import at_least

STANDARD = "standard"
"""The library that every dialect has; no dialect names it."""

CallStyle: TypeAlias = Literal["function", "method", "either", "macro"]
"""How a function is declared: `f(x)`, `x.f()`, both, or expanded by the parser."""

_DIRECTORY = Path(__file__).parent / "libraries"
_REFERENCE = regex(r"([a-z][a-z0-9-]*)(?:@([0-9]{1,4}))?")


@record
class LibraryFunction:
    """A function or macro.

    `takes` is the number of arguments, including the target, with which cel-go plans a call:
    `any`, or `some` if it has no implementation of its own and plans any call with arguments.
    `since` is the version of the library. A macro binds its first `binds` arguments, not counting
    the target, as variables. `evaluated` tells whether celvet can evaluate it. With `pattern`, its
    second argument is a regular expression, compiled in advance if it is constant. With `overloads`
    the engine lacks it and celvet has its own; each is the types of the arguments, a target first,
    and of the result, such as `list(T)` or `kubernetes.Quantity`.
    """

    name: str
    style: CallStyle = "function"
    takes: int | Literal["any", "some"] = "any"
    since: int = 0
    binds: int = 0
    evaluated: bool = True
    pattern: bool = False
    overloads: tuple[tuple[str, ...], ...] = ()

    def can_plan(self, count: int) -> bool:
        """Whether cel-go plans a call with `count` arguments, including the target."""
        if self.takes == "some":
            return count > 0
        return self.takes in ("any", count)


@record
class Library:
    """A library in one version; `title` names it in a message.

    `cel_go` maps a version to the release of cel-go that brought it; a version without an entry is
    in every release in use.
    """

    name: str
    title: str
    source: str
    version: int
    evaluated: bool
    functions: Mapping[str, LibraryFunction]
    cel_go: Mapping[str, str]

    @property
    def in_engine(self) -> bool:
        """Whether the engine has the library."""
        return self.evaluated and not any(map(_overloads, self.functions.values()))

    def newest(self, cel_go: str) -> int:
        """The newest version of the library that a release of cel-go has."""
        later = [
            int(version) for version, since in self.cel_go.items() if not at_least(cel_go, since)
        ]
        return min((self.version + 1, *later)) - 1


def _overloads(function: LibraryFunction) -> tuple[tuple[str, ...], ...]:
    return function.overloads


@cache
def read_library(name: str) -> Library:
    """A library in its newest version; raises `FileNotFoundError` for an unknown name."""
    content = json.loads((_DIRECTORY / f"{name}.json").read_bytes())
    functions = {
        key: _read_function(key, value, evaluated=content["evaluated"])
        for key, value in content.pop("functions").items()
    }
    cel_go = content.pop("celGo", {})
    return Library(name, functions=functions, cel_go=cel_go, **content)


def _read_function(name: str, content: Mapping[str, Any], *, evaluated: bool) -> LibraryFunction:
    overloads = tuple(map(tuple, content.get("overloads", ())))
    return LibraryFunction(name, **{"evaluated": evaluated, **content, "overloads": overloads})


@cache
def library(reference: str) -> Library:
    """The library that a dialect names as `NAME` or `NAME@VERSION`; raises `ValueError`."""
    match = _REFERENCE.fullmatch(reference)
    if match is None or match[1] not in library_names():
        raise ValueError(f"no library `{reference}`; choose from {', '.join(library_names())}")
    newest = read_library(match[1])
    version = int(match[2] or newest.version)
    if version > newest.version:
        raise ValueError(f"no version {version} of `{match[1]}`; the newest is {newest.version}")
    functions = {
        key: function for key, function in newest.functions.items() if function.since <= version
    }
    return replace(newest, version=version, functions=functions)


@cache
def reference_in(reference: str, cel_go: str) -> str:
    """A library that a dialect names, in the version that a release of cel-go has."""
    newest_library = library(reference)
    newest = newest_library.newest(cel_go)
    return reference if newest == newest_library.version else f"{newest_library.name}@{newest}"


def is_library(reference: str) -> bool:
    """Whether a dialect may name a library like this."""
    try:
        return bool(library(reference))
    except ValueError:
        return False


@cache
def library_names() -> tuple[str, ...]:
    """The libraries that a dialect may name, in alphabetical order."""
    return tuple(sorted({file.stem for file in _DIRECTORY.glob("*.json")} - {STANDARD}))
