"""Checks the file of a dialect, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from celvet.schemas.controller import controllers
from celvet.schemas.dialect import Option, Purpose, Wrap
from celvet.schemas.errors import FormError
from celvet.schemas.library import is_library, library_names
from celvet.schemas.reader.forms import (
    Form,
    check_forms,
    choice,
    fields,
    filled,
    is_string,
    is_switch,
    is_text,
    list_of,
    map_of,
    matching,
    one_of,
)

_SCALAR = "bool|bytes|double|duration|dyn|int|string|timestamp|uint"
_TYPE = matching(
    rf"{_SCALAR}|map|list(?:\((?:{_SCALAR})\))?"
    r"|google\.protobuf\.(?:Any|Duration|ListValue|Struct|Timestamp|Value)"
)
"""The types that the CEL engine takes for what they say; of any other name it makes a message."""

_RESULT = matching(
    rf"|null|{_SCALAR}|(?:list|optional_type|wrapper)\((?:{_SCALAR})\)"
    rf"|map\((?:{_SCALAR}), (?:{_SCALAR})\)"
)
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_VARIABLE_NAME = matching(rf"{_NAME}|\$\({_PATH}\)|\$\(/{_PATH}\[\]\.{_NAME}\)")
_TEXTS = list_of(is_text)
_KEYS = matching(rf"{_PATH}\[\]\.{_NAME}")
_CONDITIONAL = fields({"type": _TYPE}, {"when": map_of(_TEXTS, key=matching(_PATH)), "keys": _KEYS})
_ROLE = fields(
    {},
    {
        "answer": is_text,
        "never": is_text,
        "join": one_of("all", "any"),
        "skips": is_switch,
        "absent": is_switch,
    },
)
_HIDDEN_FIELD = fields({"path": is_text, "help": is_text}, {"of": is_text, "elsewhere": is_switch})


_FORMS: Mapping[str, Form] = {
    "language": choice("cel", "jsonpath", "dotted", "fieldpath", "selector", "waits"),
    "description": Form(is_string, "a line on what the dialect is"),
    "wrap": choice(*get_args(Wrap)),
    "libraries": Form(
        list_of(lambda value: is_text(value) and is_library(value)),
        f"a list of `NAME` or `NAME@VERSION`, each one of {', '.join(library_names())}",
    ),
    "variables": Form(
        map_of(lambda value: _TYPE(value) or _CONDITIONAL(value), key=_VARIABLE_NAME),
        "a mapping of names to CEL types, such as `google.protobuf.Struct` or `string`; a name in"
        " `$(...)` is the text at that path beside the expression, `$(/refs[].name)` one for each"
        " entry of that list of the root, and `{type: ..., when: {path: [texts]}}` a variable that"
        " exists only there; with `keys`, such as `variables[].name`, a map whose keys are these",
    ),
    "result": Form(
        lambda value: _RESULT(value) or filled(list_of(_RESULT))(value),
        "a CEL type, such as `bool` or `list(dyn)`, or a list of them",
    ),
    "options": Form(list_of(one_of(*get_args(Option))), f"a list of {', '.join(get_args(Option))}"),
    "purpose": choice(*get_args(Purpose)),
    "object": Form(_VARIABLE_NAME, "the variable that holds the object under check"),
    "owner": Form(_VARIABLE_NAME, "the variable that holds the declaring object"),
    "typed": Form(map_of(_TEXTS), "a mapping of variables to the top-level fields that they lack"),
    "floats": Form(_TEXTS, "a list of the variables whose numbers are all floats"),
    "roles": Form(
        map_of(_ROLE), "a mapping of roles to `answer`, `never`, `join` (all or any) and `skips`"
    ),
    "otherwise": Form(is_text, "the verdict where no expression is true"),
    "fails": Form(is_text, "the verdict where an expression is refused or fails"),
    "refused": Form(is_text, "a clause with the consequence of an expression that is refused"),
    "hides": Form(
        list_of(_HIDDEN_FIELD),
        "a list of `path` and `help`, perhaps with `of` (apiVersion/kind) and `elsewhere`",
    ),
    "errors": Form(is_text, "what the messages of the controller begin with"),
    "needs": Form(is_text, "the role without which there is no verdict"),
    "controller": choice(*controllers()),
    "celGo": Form(matching(r"|\d+\.\d+\.\d+"), "a version of cel-go, such as `0.26.1`"),
    **dict.fromkeys(
        ("checked", "late", "missing", "single", "printed", "observes", "bare"),
        Form(is_switch, "true or false"),
    ),
}


def check_dialect(content: Mapping[str, Any]) -> None:
    """Check that a file's content describes a dialect; raises `FormError`."""
    for key in ("language", "description"):
        if key not in content:
            raise FormError(f"`{key}` is missing: {_FORMS[key].words}")
    for key in content:
        if key not in _FORMS and not key.startswith("$"):
            raise FormError(f"unknown key `{key}`; choose from {', '.join(_FORMS)}")
    check_forms(content, _FORMS)
