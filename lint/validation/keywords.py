"""Applies the keywords of the catalogue's schemas to values.

The part of JSON Schema that the catalogue uses (`schemas/README.md`), and its annotations. What a
keyword says about a value is a `KeywordResult`; an annotation (`NOTES`) says something of every
value. A library would make an error with a message for each, and take ten times longer to load than
most files take; a property test compares the results with jsonschema's.

A `null` in a mapping counts as absent, as in the API server before it validates
(`PruneNonNullableNullsWithoutDefaults` of apiextensions-apiserver).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, TypeAlias

from celvet.lint.model import Path, Value
from celvet.lint.validation.result import KeywordResult
from celvet.record import record
from celvet.schemas.kind import Schema, is_number

MOST_RESULTS = 10_000
"""The most results of one object, so that a hostile one takes a second, not minutes."""

_MOST_UNKNOWN_FIELDS = 100
"""The most unknown fields of one mapping that are reported."""


def keyword_results(schema: Schema, value: Value, *, partial: bool) -> list[KeywordResult]:
    """The results of a schema for an object. A partial object need not have the required fields."""
    results: list[KeywordResult] = []
    _apply(schema, value, (), results, _PARTIAL if partial else _COMPLETE)
    return results[:MOST_RESULTS]


def _apply(
    schema: Schema, value: Value, path: Path, results: list[KeywordResult], keywords: Keywords
) -> None:
    """Add the results of a schema for the value at a path."""
    if len(results) >= MOST_RESULTS:
        return
    for name, expectation in schema.items():
        if keyword := keywords.get(name):
            keyword(_Usage(name, expectation, value, path, schema, results, keywords))


@record
class _Usage:
    """A keyword of a schema, the value that it is applied to, and the list of results."""

    keyword: str
    expectation: Any
    value: Value
    path: Path
    schema: Schema
    results: list[KeywordResult]
    keywords: Keywords

    def report(self, detail: str = "") -> None:
        """Add a result of the keyword; `detail` is the field that it is about."""
        self.results.append(
            KeywordResult(
                self.path, self.keyword, self.expectation, self.value, self.schema, detail
            )
        )

    def apply_to_part(self, schema: Schema, step: str | int) -> None:
        """Apply a schema to a part of the value."""
        _apply(schema, self.value[step], (*self.path, step), self.results, self.keywords)

    def apply(self, schema: Schema) -> None:
        """Apply another schema to the value."""
        _apply(schema, self.value, self.path, self.results, self.keywords)

    def results_of(self, schema: Schema) -> list[KeywordResult]:
        """The results of another schema for the value, which are not yet those of the object."""
        results: list[KeywordResult] = []
        _apply(schema, self.value, self.path, results, self.keywords)
        return results


Keyword: TypeAlias = Callable[[_Usage], None]
Keywords: TypeAlias = Mapping[str, Keyword]


_TYPES: Mapping[str, Callable[[Value], bool]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
    "null": lambda value: value is None,
    "number": is_number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def _equal(value: Value, constant: Value) -> bool:
    # in Python, `True == 1`
    return isinstance(value, bool) == isinstance(constant, bool) and bool(value == constant)


@functools.cache
def _pattern(text: str) -> re.Pattern[str]:
    # Python's `$` also matches before a final line feed; Go's does not
    return re.compile(text[:-1] + r"\Z" if text.endswith("$") else text)


_LIMITS: Mapping[str, Callable[[Any, Value], bool]] = {
    "type": lambda name, value: not _TYPES[name](value),
    "enum": lambda choices, value: not any(_equal(value, choice) for choice in choices),
    "const": lambda constant, value: not _equal(value, constant),
    "pattern": lambda text, value: isinstance(value, str) and not _pattern(text).search(value),
    "minLength": lambda least, value: isinstance(value, str) and len(value) < least,
    "maxLength": lambda most, value: isinstance(value, str) and len(value) > most,
    "minItems": lambda least, value: isinstance(value, list) and len(value) < least,
    "maxItems": lambda most, value: isinstance(value, list) and len(value) > most,
    "minProperties": lambda least, value: isinstance(value, dict) and len(value) < least,
    "maxProperties": lambda most, value: isinstance(value, dict) and len(value) > most,
    "minimum": lambda least, value: is_number(value) and value < least,
    "maximum": lambda most, value: is_number(value) and value > most,
}
"""Keyword -> whether a value breaks it."""


def _limit(breaks: Callable[[Any, Value], bool]) -> Keyword:
    def keyword(usage: _Usage) -> None:
        if breaks(usage.expectation, usage.value):
            usage.report()

    return keyword


def _required(usage: _Usage) -> None:
    if isinstance(usage.value, dict):
        for name in usage.expectation:
            if usage.value.get(name) is None:
                usage.report(name)


def _properties(usage: _Usage) -> None:
    if isinstance(usage.value, dict):
        for name, schema in usage.expectation.items():
            if schema and usage.value.get(name) is not None:
                usage.apply_to_part(schema, name)


def _additional(usage: _Usage) -> None:
    if isinstance(usage.value, dict):
        fields = usage.schema.get("properties", {})
        for name, value in usage.value.items():
            if name not in fields and value is not None:
                usage.apply_to_part(usage.expectation, name)


def _items(usage: _Usage) -> None:
    if isinstance(usage.value, list):
        for index in range(len(usage.value)):
            usage.apply_to_part(usage.expectation, index)


def _all_of(usage: _Usage) -> None:
    for branch in usage.expectation:
        usage.apply(branch)


def _if(usage: _Usage) -> None:
    branch = "else" if usage.results_of(usage.expectation) else "then"
    if branch in usage.schema:
        usage.apply(usage.schema[branch])


def _not(usage: _Usage) -> None:
    if not usage.results_of(usage.expectation):
        usage.report()


def _branches_that_hold(usage: _Usage) -> list[str]:
    """The names of the branches that hold; the annotations in all of them are results."""
    names = []
    for index, branch in enumerate(usage.expectation):
        results = usage.results_of(branch)
        notes = [result for result in results if result.keyword in NOTES]
        usage.results.extend(notes)
        if len(notes) == len(results):
            names.append(branch.get("required", [f"form {index + 1}"])[0])
    return names


def _any_of(usage: _Usage) -> None:
    if not _branches_that_hold(usage):
        usage.report()


def _one_of(usage: _Usage) -> None:
    names = _branches_that_hold(usage)
    if len(names) != 1:
        usage.report(" ".join(names))


def _notes_of_branches(usage: _Usage) -> None:
    _branches_that_hold(usage)


def _expression(usage: _Usage) -> None:
    # for the controllers, written in Go, an empty string means "not set" unless it is an element
    if isinstance(usage.value, str) and (usage.value or usage.expectation.get("empty")):
        usage.report()


def _fields(usage: _Usage) -> None:
    if isinstance(usage.value, dict):
        fields, mistakes = (usage.schema.get(key, ()) for key in ("properties", "x-mistaken"))
        names = (name for name in usage.value if name not in fields and name not in mistakes)
        # `$patch` and similar keys are for kustomize.
        keys = (name for name in names if isinstance(name, str) and name[:1] != "$")
        for name in islice(keys, _MOST_UNKNOWN_FIELDS):
            usage.report(name)


def _mistaken(usage: _Usage) -> None:
    if isinstance(usage.value, dict):
        for name in usage.expectation:
            if name in usage.value:
                usage.report(name)


def _unique(usage: _Usage) -> None:
    if isinstance(usage.value, list):
        usage.report()


def _property_names(usage: _Usage) -> None:
    if isinstance(usage.value, dict):
        pattern = _pattern(usage.expectation["pattern"])
        for name in usage.value:
            if not pattern.search(str(name)):
                path = (*usage.path, name)
                usage.results.append(
                    KeywordResult(path, usage.keyword, pattern.pattern, name, usage.schema, name)
                )


def _regexp(usage: _Usage) -> None:
    if isinstance(usage.value, str):
        from celvet.lint.go.regexp.regex import regexp_error  # few kinds have one

        if error := regexp_error(usage.value):
            usage.report(error)


def _unread(usage: _Usage) -> None:
    if isinstance(usage.value, str) and usage.value.strip():
        usage.report()


NOTES: Keywords = {
    "x-check": _Usage.report,
    "x-expression": _expression,
    "x-fields": _fields,
    "x-mistaken": _mistaken,
    "x-unique": _unique,
    "x-unread": _unread,
    "x-versions": _Usage.report,
}
"""The keywords that describe a value and refuse nothing."""

_COMPLETE: Keywords = {
    **{name: _limit(breaks) for name, breaks in _LIMITS.items()},
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "propertyNames": _property_names,
    "x-regexp": _regexp,
    **NOTES,
}

_ABSENCE = ("required", "minProperties", "if", "not")
"""Keywords that an absent field can break."""

_PARTIAL: Keywords = {
    **{name: keyword for name, keyword in _COMPLETE.items() if name not in _ABSENCE},
    "anyOf": _notes_of_branches,
    "oneOf": _notes_of_branches,
}
