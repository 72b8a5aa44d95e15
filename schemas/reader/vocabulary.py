"""The keywords that a schema may use, and the form of each; an unknown keyword is an error.

The vocabulary is closed, so that a misspelt annotation is an error and not silently ignored.
schemas/README.md explains the annotations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from celvet.schemas.errors import FormError
from celvet.schemas.kind import Schema, is_number
from celvet.schemas.walk import ALTERNATIVES, CONDITIONS, children

_TYPES = {"object", "array", "string", "boolean", "integer", "number", "null"}
_SEVERITIES = {"error", "warning", "info"}
_RULES = {"duplicate-group-kind", "schema-violation"}
"""The rules that report broken keywords."""
_WORDS = {"rule", "severity", "fact", "then", "help"}

Form = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def is_texts(value: Any) -> bool:
    """Whether a value is a list of texts, none of them empty."""
    return isinstance(value, list) and all(map(_text, value))


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_pattern(value: Any) -> bool:
    """Whether a value is a regular expression."""
    try:
        re.compile(value)
    except (re.error, TypeError):
        return False
    return True


def _scalars(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not any(map(_nested, value))


def _nested(value: Any) -> bool:
    return isinstance(value, Mapping | list)


def _schema(value: Any) -> bool:
    return isinstance(value, Mapping)


def _schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_schema, value))


def _named_schemas(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_schema, value.values()))


def _wording(value: Any, words: Collection[str]) -> bool:
    if not isinstance(value, Mapping) or not value or not value.keys() <= set(words):
        return False
    if value.get("rule", "schema-violation") not in _RULES:
        return False
    return all(map(_text, value.values())) and value.get("severity", "error") in _SEVERITIES


def _wordings(*more: str) -> Form:
    words = _WORDS | set(more)
    return lambda table: (
        isinstance(table, Mapping) and all(_wording(entry, words) for entry in table.values())
    )


def _expression(value: Any) -> bool:
    if not isinstance(value, Mapping) or value.keys() != {"dialect", "role"}:
        return False
    return all(map(_text, value.values()))


def _check_mark(value: Any) -> bool:
    keys = {"strategy", "dialect", "objects", "switch", "namespace"}
    return isinstance(value, Mapping) and value.keys() <= keys and all(map(_text, value.values()))


FORMS: Mapping[str, Form] = {
    "$schema": _text,
    "$comment": _text,
    "title": _text,
    "description": _text,
    "type": lambda value: isinstance(value, str) and value in _TYPES,
    "required": is_texts,
    "properties": _named_schemas,
    "additionalProperties": _schema,
    "items": _schema,
    **dict.fromkeys(ALTERNATIVES, _schemas),
    **dict.fromkeys(CONDITIONS, _schema),
    "enum": _scalars,
    "const": lambda value: not _nested(value),
    "pattern": is_pattern,
    "minimum": is_number,
    "maximum": is_number,
    "minLength": _count,
    "maxLength": _count,
    "minItems": _count,
    "maxItems": _count,
    "minProperties": _count,
    "maxProperties": _count,
    "x-check": _check_mark,
    "x-expression": _expression,
    "x-fields": lambda value: value in ("all", "near"),
    "x-mistaken": _wordings("meant"),
    "x-refusal": _wordings(),
    "x-unique": is_texts,
    "x-versions": is_texts,
}
"""The form of each keyword below the root."""

_ANNOTATIONS = {key for key in FORMS if key.startswith("x-")} - {"x-refusal"}


def check(schema: Schema, dialects: Collection[str]) -> None:
    """Check that a resolved schema, without its root's own keys, is well formed.

    Raises `FormError` for an unknown keyword, a value of the wrong form, an expression of an
    unknown dialect, and an annotation inside a condition such as `if`, where it might or might not
    apply.
    """
    _check(schema, "the root", set(dialects))


def _check(schema: Schema, where: str, dialects: set[str]) -> None:
    for keyword, value in schema.items():
        form = FORMS.get(keyword)
        if form is None:
            raise FormError(f"unknown keyword `{keyword}` at {where}")
        if not form(value):
            raise FormError(f"`{keyword}` at {where} cannot be {value!r:.80}")
    for mark in ("x-expression", "x-check"):
        dialect = schema.get(mark, {}).get("dialect")
        if dialect is not None and dialect not in dialects:
            raise FormError(f"unknown dialect `{dialect}` at {where}")
    for keyword, segment, subschema in children(schema):
        if keyword in CONDITIONS:
            _check_condition(subschema, f"{where}, {keyword}")
        _check(subschema, f"{where}, {segment or keyword}", dialects)


def _check_condition(schema: Schema, where: str) -> None:
    for keyword in _ANNOTATIONS & schema.keys():
        raise FormError(f"`{keyword}` cannot be used in a condition, at {where}")
    for _, segment, subschema in children(schema):
        _check_condition(subschema, f"{where}, {segment}")
