"""Checks the file of a dialect, key by key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from celvet.regex import regex
from celvet.schemas.controller import controllers
from celvet.schemas.dialect import Purpose, Wrap
from celvet.schemas.errors import FormError
from celvet.schemas.library import is_library, library_names
from celvet.schemas.reader.vocabulary import is_texts

_SCALAR = "bool|bytes|double|duration|dyn|int|string|timestamp|uint"
_VARIABLE = regex(
    rf"{_SCALAR}|map|list(?:\((?:{_SCALAR})\))?"
    r"|google\.protobuf\.(?:Any|Duration|ListValue|Struct|Timestamp|Value)"
)
"""The types that the CEL engine takes for what they say; of any other name it makes a message."""

_RESULT = regex(rf"|null|{_SCALAR}|list\((?:{_SCALAR})\)|map\((?:{_SCALAR}), (?:{_SCALAR})\)")
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_PATH = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
_DEPENDENT = regex(rf"\$\({_PATH}\)")
_VERSION = regex(r"|\d+\.\d+\.\d+")


class _Form(NamedTuple):
    """A test for the form of a value, and its description."""

    holds: Callable[[Any], bool]
    words: str


def _one_of(*names: str) -> _Form:
    return _Form(lambda value: value in names, f"one of {', '.join(names)}")


def _libraries(value: Any) -> bool:
    return is_texts(value) and all(map(is_library, value))


def _variable_name(value: Any) -> bool:
    return isinstance(value, str) and bool(_NAME.fullmatch(value) or _DEPENDENT.fullmatch(value))


def _type(value: Any) -> bool:
    return isinstance(value, str) and _VARIABLE.fullmatch(value) is not None


def _variable(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return _type(value)
    when = value.get("when", {})
    return (
        value.keys() <= {"type", "when"}
        and _type(value.get("type"))
        and isinstance(when, Mapping)
        and all(isinstance(path, str) and re.fullmatch(_PATH, path) for path in when)
        and all(is_texts(texts) for texts in when.values())
    )


def _variables(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and all(map(_variable_name, value))
        and all(map(_variable, value.values()))
    )


def _typed(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(is_texts, value.values()))


def _role(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value.keys() <= {"answer", "never", "join"}:
        return False
    texts = all(isinstance(text, str) and text for text in value.values())
    return texts and value.get("join", "all") in ("all", "any")


def _roles(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_role, value.values()))


def _text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _hides(value: Any) -> bool:
    return isinstance(value, list) and all(map(_hidden, value))


def _hidden(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value.keys() <= {"path", "help", "of", "elsewhere"}:
        return False
    texts = [value.get("path"), value.get("help"), value.get("of", "v1/Any")]
    return is_texts(texts) and isinstance(value.get("elsewhere", False), bool)


_SWITCH = _Form(lambda value: isinstance(value, bool), "true or false")
_FORMS: Mapping[str, _Form] = {
    "language": _one_of("cel", "jsonpath"),
    "description": _Form(lambda value: isinstance(value, str), "a line on what the dialect is"),
    "wrap": _one_of(*get_args(Wrap)),
    "libraries": _Form(
        _libraries, f"a list of `NAME` or `NAME@VERSION`, each one of {', '.join(library_names())}"
    ),
    "variables": _Form(
        _variables,
        "a mapping of names to CEL types, such as `google.protobuf.Struct` or `string`; a name in"
        " `$(...)` is the text at that path beside the expression, and `{type: ..., when: {path:"
        " [texts]}}` a variable that exists only there",
    ),
    "result": _Form(
        lambda value: isinstance(value, str) and _RESULT.fullmatch(value) is not None,
        "a CEL type, such as `bool` or `list(dyn)`",
    ),
    "purpose": _one_of(*get_args(Purpose)),
    "object": _Form(_variable_name, "the variable that holds the object under check"),
    "owner": _Form(_variable_name, "the variable that holds the declaring object"),
    "typed": _Form(_typed, "a mapping of variables to the top-level fields that they lack"),
    "roles": _Form(_roles, "a mapping of roles to `answer`, `never` and `join` (all or any)"),
    "otherwise": _Form(_text, "the verdict where no expression is true"),
    "hides": _Form(
        _hides, "a list of `path` and `help`, perhaps with `of` (apiVersion/kind) and `elsewhere`"
    ),
    "errors": _Form(_text, "what the messages of the controller begin with"),
    "needs": _Form(_text, "the role without which there is no verdict"),
    "controller": _one_of(*controllers()),
    "celGo": _Form(
        lambda value: isinstance(value, str) and _VERSION.fullmatch(value) is not None,
        "a version of cel-go, such as `0.26.1`",
    ),
    **dict.fromkeys(("checked", "missing", "single", "printed", "observes", "bare"), _SWITCH),
}
_NEEDED = ("language", "description")


def check_dialect(content: Mapping[str, Any]) -> None:
    """Check that a file's content describes a dialect; raises `FormError`."""
    for key in _NEEDED:
        if key not in content:
            raise FormError(f"`{key}` is missing: {_FORMS[key].words}")
    for key, value in content.items():
        if key.startswith("$"):
            continue
        if key not in _FORMS:
            raise FormError(f"unknown key `{key}`; choose from {', '.join(_FORMS)}")
        if not _FORMS[key].holds(value):
            raise FormError(f"`{key}` cannot be {value!r:.80}; it is {_FORMS[key].words}")
