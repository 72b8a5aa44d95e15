"""The keywords of JSON Schema as our schemas use them, for jsonschema to run.

The library's own are replaced wherever they would put a value into a message:
its `repr` has no bound in depth or size. What a broken keyword says is worded
elsewhere; here only the field that it is about is given.

`null` is taken for absent in a mapping, as the API server does before it
validates (`PruneNonNullableNullsWithoutDefaults` of apiextensions-apiserver).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

from celvet.lint.model import Value
from celvet.lint.validation.annotations import NOTES, Errors, Keyword, Validator
from celvet.schemas.kind import Schema


def _type(validator: Validator, wanted: str, value: Value, _: Schema) -> Errors:
    if not validator.is_type(value, wanted):
        yield ValidationError("")


def _failing(fails: Callable[[Any, Value], bool]) -> Keyword:
    def keyword(_: Validator, expected: Any, value: Value, __: Schema) -> Errors:
        if fails(expected, value):
            yield ValidationError("")

    return keyword


def _same(one: Value, other: Value) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Python's `$` also matches before a final line feed, Go's does not.
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)


def _number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_LIMITS: Mapping[str, Callable[[Any, Value], bool]] = {
    "enum": lambda allowed, value: not any(_same(value, one) for one in allowed),
    "const": lambda wanted, value: not _same(value, wanted),
    "pattern": lambda form, value: isinstance(value, str) and not _compiled(form).search(value),
    "minLength": lambda least, value: isinstance(value, str) and len(value) < least,
    "maxLength": lambda most, value: isinstance(value, str) and len(value) > most,
    "minItems": lambda least, value: isinstance(value, list) and len(value) < least,
    "maxItems": lambda most, value: isinstance(value, list) and len(value) > most,
    "minProperties": lambda least, value: isinstance(value, dict) and len(value) < least,
    "maxProperties": lambda most, value: isinstance(value, dict) and len(value) > most,
    "minimum": lambda least, value: _number(value) and value < least,
    "maximum": lambda most, value: _number(value) and value > most,
}


def _required(_: Validator, names: list[str], value: Value, __: Schema) -> Errors:
    if isinstance(value, dict):
        yield from (ValidationError(name) for name in names if value.get(name) is None)


def _properties(
    validator: Validator, properties: Mapping[str, Schema], value: Value, _: Schema
) -> Errors:
    if isinstance(value, dict):
        for name, subschema in properties.items():
            if subschema and value.get(name) is not None:
                yield from validator.descend(value[name], subschema, path=name)


def _additional(validator: Validator, subschema: Schema, value: Value, schema: Schema) -> Errors:
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name, item in value.items():
            if name not in known and item is not None:
                yield from validator.descend(item, subschema, path=name)


def _alternatives(
    validator: Validator, branches: list[Schema], value: Value
) -> tuple[list[ValidationError], list[str]]:
    """The annotations in all branches, and the names of the branches that hold."""
    notes, names = [], []
    for index, branch in enumerate(branches):
        errors = list(validator.descend(value, branch, schema_path=index))
        here = [error for error in errors if error.validator in NOTES]
        notes += here
        if len(here) == len(errors):
            names.append(branch.get("required", [f"form {index + 1}"])[0])
    return notes, names


def _any_of(validator: Validator, branches: list[Schema], value: Value, _: Schema) -> Errors:
    notes, names = _alternatives(validator, branches, value)
    yield from notes
    if not names:
        yield ValidationError("")


def _one_of(validator: Validator, branches: list[Schema], value: Value, _: Schema) -> Errors:
    notes, names = _alternatives(validator, branches, value)
    yield from notes
    if len(names) != 1:
        yield ValidationError(" ".join(names))


def _notes_of_branches(
    validator: Validator, branches: list[Schema], value: Value, _: Schema
) -> Errors:
    yield from _alternatives(validator, branches, value)[0]


def _not(validator: Validator, subschema: Schema, value: Value, _: Schema) -> Errors:
    if not any(validator.descend(value, subschema)):
        yield ValidationError("")


KEYWORDS: Mapping[str, Keyword] = {
    "type": _type,
    **{keyword: _failing(fails) for keyword, fails in _LIMITS.items()},
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
}
"""All that can be broken, besides `allOf`, `items` and `if` of the library."""


def _nothing(_: Validator, __: Any, ___: Value, ____: Schema) -> Errors:
    yield from ()


WITHOUT_ABSENCE: Mapping[str, Keyword] = {
    **dict.fromkeys(("required", "minProperties", "if", "not"), _nothing),
    **dict.fromkeys(("anyOf", "oneOf"), _notes_of_branches),
}
"""What takes the place of the keywords that an absent field can break."""
