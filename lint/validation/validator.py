"""The validator of a kind: jsonschema with additional keywords and annotations."""

from __future__ import annotations

import functools
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from celvet.lint.model import Value
from celvet.lint.validation.annotations import NOTES, Errors, Validator
from celvet.lint.validation.keywords import KEYWORDS, WITHOUT_ABSENCE
from celvet.schemas import Kind
from celvet.schemas.kind import Schema


@functools.lru_cache(maxsize=256)
def validator_of(kind: Kind, partial: bool) -> Validator:
    """The validator of a kind; a partial one does not require absent fields."""
    return (_PARTIAL if partial else _COMPLETE)(kind.schema)


class _Within:
    """A schema within that of a validator, as a key that compares by identity."""

    __slots__ = ("schema", "validator")

    def __init__(self, validator: Validator, schema: Schema) -> None:
        self.validator = validator
        self.schema = schema

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Within)
            and self.schema is other.schema
            and type(self.validator) is type(other.validator)
        )

    def __hash__(self) -> int:
        return id(self.schema)


@functools.lru_cache(maxsize=4_096)
def _inner(key: _Within) -> Validator:
    """The validator of a schema; those of replaced catalogs stay until the cache is full."""
    return key.validator.evolve(schema=key.schema)


def _descend(  # noqa: PLR0913, PLR0917 - the signature is the library's
    validator: Validator,
    instance: Value,
    schema: Schema,
    path: str | int | None = None,
    schema_path: str | int | None = None,
    resolver: Any = None,
) -> Errors:
    """Hold a schema within that of the validator against a value within the validated one.

    The library makes a validator for each value, a third of the time that a long
    list takes; here there is one for each schema. `schema_path` is not used, and no
    `resolver` is needed: the catalogue has resolved each `$ref`.
    """
    for error in _inner(_Within(validator, schema)).iter_errors(instance):
        if path is not None:
            error.path.appendleft(path)
        yield error


def _made(base: Any, keywords: Any) -> Any:
    made = extend(base, keywords)  # type: ignore[no-untyped-call]
    made.descend = _descend
    return made


_COMPLETE = _made(Draft202012Validator, {**KEYWORDS, **NOTES})
_PARTIAL = _made(_COMPLETE, WITHOUT_ABSENCE)
