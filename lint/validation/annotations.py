"""The annotations of the catalogue's schemas, run as keywords of jsonschema.

An annotation is yielded like an error, since jsonschema completes the path of
whatever a keyword yields; `NOTES` has the keywords that are annotations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from jsonschema.exceptions import ValidationError

from celvet.lint.model import Value
from celvet.schemas.kind import Schema

Validator: TypeAlias = Any
"""A jsonschema validator; its protocol class does not tell of `descend`."""

Errors: TypeAlias = Iterator[ValidationError]
Keyword: TypeAlias = Callable[[Validator, Any, Value, Schema], Errors]

_MOST_UNKNOWN_FIELDS = 100
"""The most unknown fields of one mapping that are reported."""


def _expression(_: Validator, __: Any, value: Value, ___: Schema) -> Errors:
    # An empty text is "not set" to the controllers, whose language is Go.
    if isinstance(value, str) and value:
        yield ValidationError("")


def _fields(_: Validator, __: str, value: Value, schema: Schema) -> Errors:
    if isinstance(value, dict):
        known = schema.get("properties", {}).keys() | schema.get("x-mistaken", {}).keys()
        names = (name for name in value if isinstance(name, str) and name not in known)
        # `$patch` and similar keys are for kustomize.
        names = (name for name in names if not name.startswith("$"))
        yield from map(ValidationError, islice(names, _MOST_UNKNOWN_FIELDS))


def _mistaken(_: Validator, table: Mapping[str, Any], value: Value, __: Schema) -> Errors:
    if isinstance(value, dict):
        yield from (ValidationError(name) for name in table if name in value)


def _unique(_: Validator, __: list[str], value: Value, ___: Schema) -> Errors:
    if isinstance(value, list):
        yield ValidationError("")


def _always(_: Validator, __: Any, ___: Value, ____: Schema) -> Errors:
    yield ValidationError("")


NOTES: Mapping[str, Keyword] = {
    "x-check": _always,
    "x-expression": _expression,
    "x-fields": _fields,
    "x-mistaken": _mistaken,
    "x-unique": _unique,
    "x-versions": _always,
}
"""The keywords that describe a value and refuse nothing."""
