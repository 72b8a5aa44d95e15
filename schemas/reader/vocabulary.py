"""The keywords that a schema may use, and the form of each; an unknown keyword is an error.

The vocabulary is closed, so that a misspelt annotation is an error and not silently ignored.
schemas/README.md explains the annotations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from celvet.schemas.errors import FormError
from celvet.schemas.kind import Schema, is_number
from celvet.schemas.reader.forms import (
    Test,
    fields,
    filled,
    is_count,
    is_mapping,
    is_pattern,
    is_scalar,
    is_switch,
    is_text,
    list_of,
    map_of,
    one_of,
)
from celvet.schemas.walk import ALTERNATIVES, CONDITIONS, children

_TYPES = ("object", "array", "string", "boolean", "integer", "number", "null")
_RULES = {"duplicate-group-kind", "schema-violation"}
"""The rules that report broken keywords."""

_WORDING = {
    "rule": one_of(*_RULES),
    "severity": one_of("error", "warning", "info"),
    "fact": is_text,
    "then": is_text,
    "help": is_text,
}
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_TEXTS = list_of(is_text)

_TESTS: Mapping[str, Test] = {
    **dict.fromkeys(("$schema", "$comment", "title", "description"), is_text),
    "type": one_of(*_TYPES),
    "required": _TEXTS,
    "properties": map_of(is_mapping),
    "additionalProperties": is_mapping,
    "propertyNames": fields({"pattern": is_pattern}),
    "items": is_mapping,
    **dict.fromkeys(ALTERNATIVES, filled(list_of(is_mapping))),
    **dict.fromkeys(CONDITIONS, is_mapping),
    "enum": filled(list_of(is_scalar)),
    "const": is_scalar,
    "pattern": is_pattern,
    "minimum": is_number,
    "maximum": is_number,
    **dict.fromkeys(_COUNTS, is_count),
    "x-check": fields(
        {}, dict.fromkeys(("strategy", "dialect", "objects", "switch", "namespace"), is_text)
    ),
    "x-expression": fields({"dialect": is_text, "role": is_text}, {"empty": is_switch}),
    "x-fields": one_of("all", "near"),
    "x-mistaken": map_of(filled(fields({}, {**_WORDING, "meant": is_text}))),
    "x-regexp": one_of("Go"),
    "x-refusal": map_of(filled(fields({}, _WORDING))),
    "x-unique": _TEXTS,
    "x-unread": is_text,
    "x-versions": _TEXTS,
}
"""The test for the value of each keyword below the root."""

_ANNOTATIONS = {key for key in _TESTS if key.startswith("x-")} - {"x-refusal", "x-regexp"}


def check_schema(schema: Schema, dialects: Collection[str]) -> None:
    """Check that a resolved schema, without its root's own keys, is well formed.

    Raises `FormError` for an unknown keyword, a value of the wrong form, an expression of an
    unknown dialect, and an annotation inside a condition such as `if`, where it might or might not
    apply.
    """
    _check(schema, "the root", set(dialects))


def _check(schema: Schema, where: str, dialects: set[str]) -> None:
    for keyword, value in schema.items():
        if keyword not in _TESTS:
            raise FormError(f"unknown keyword `{keyword}` at {where}")
        if not _TESTS[keyword](value):
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
