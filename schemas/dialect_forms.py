"""What the file of a dialect may hold, checked key by key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

from celvet.schemas.dialect import Wrap
from celvet.schemas.errors import CatalogError
from celvet.schemas.library import is_library, library_names
from celvet.schemas.vocabulary import is_texts

_SCALAR = "bool|bytes|double|duration|dyn|int|string|timestamp|uint"
_VARIABLE = re.compile(
    rf"{_SCALAR}|map|list(?:\((?:{_SCALAR})\))?"
    r"|google\.protobuf\.(?:Any|Duration|ListValue|Struct|Timestamp|Value)"
)
"""The types that the CEL engine takes for what they say; of any other name it makes a message."""

_RESULT = re.compile(rf"|null|{_SCALAR}|list\((?:{_SCALAR})\)|map\((?:{_SCALAR}), (?:{_SCALAR})\)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Form(NamedTuple):
    """Whether a value has the form, and the form in words."""

    holds: Callable[[Any], bool]
    words: str


def _one_of(*names: str) -> _Form:
    return _Form(lambda value: value in names, f"one of {', '.join(names)}")


def _libraries(value: Any) -> bool:
    return is_texts(value) and all(map(is_library, value))


def _variables(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and all(map(_NAME.fullmatch, value))
        and all(isinstance(kind, str) and _VARIABLE.fullmatch(kind) for kind in value.values())
    )


_SWITCH = _Form(lambda value: isinstance(value, bool), "true or false")
_FORMS: Mapping[str, _Form] = {
    "language": _one_of("cel", "jsonpath"),
    "description": _Form(lambda value: isinstance(value, str), "a line on what the dialect is"),
    "wrap": _one_of(*get_args(Wrap)),
    "libraries": _Form(
        _libraries, f"a list of `NAME` or `NAME@VERSION`, each one of {', '.join(library_names())}"
    ),
    "variables": _Form(
        _variables, "a mapping of names to CEL types, such as `google.protobuf.Struct` or `string`"
    ),
    "result": _Form(
        lambda value: isinstance(value, str) and _RESULT.fullmatch(value) is not None,
        "a CEL type, such as `bool` or `list(dyn)`",
    ),
    **dict.fromkeys(("checked", "missing", "single"), _SWITCH),
}
_NEEDED = ("language", "description")


def check_dialect(content: Mapping[str, Any], file: Path) -> None:
    """Assure that a file's content describes a dialect; raises `CatalogError`."""
    for key in _NEEDED:
        if key not in content:
            raise CatalogError(file, f"`{key}` is missing: {_FORMS[key].words}")
    for key, value in content.items():
        if key.startswith("$"):
            continue
        if key not in _FORMS:
            raise CatalogError(file, f"unknown key `{key}`; known are {', '.join(_FORMS)}")
        if not _FORMS[key].holds(value):
            raise CatalogError(file, f"`{key}` cannot be {value!r:.80}; it is {_FORMS[key].words}")
