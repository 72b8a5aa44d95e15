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
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, TypeAlias

from celvet.lint.model import Path, Value
from celvet.lint.validation.keyword_result import Item, KeywordResult, MadeT
from celvet.record import record
from celvet.schemas.kind import Schema, is_number

MOST_RESULTS = 10_000
"""The most results of one object, so that a hostile one takes a second, not minutes."""

_MOST_UNKNOWN_FIELDS = 100
"""The most unknown fields of one mapping that are reported."""


def results(
    schema: Schema, value: Value, *, partial: bool, items: Items[Any] | None = None
) -> list[KeywordResult]:
    """The results of a schema for an object, except those of `items`.

    Of a partial object, absent fields are not required.
    """
    found: list[KeywordResult] = items.beside if items else []
    keywords = _PARTIAL if partial else _COMPLETE
    _hold(schema, value, (), found, {**keywords, "items": items} if items else keywords)
    return found[:MOST_RESULTS]


def _hold(
    schema: Schema, value: Value, path: Path, found: list[KeywordResult], keywords: Keywords
) -> None:
    """Add the results of a schema for the value at a path."""
    if len(found) >= MOST_RESULTS:
        return
    for name, expected in schema.items():
        if keyword := keywords.get(name):
            keyword(_At(name, expected, value, path, schema, found, keywords))


@record
class _At:
    """A keyword at a value: what it expects, and where its results go."""

    name: str
    expected: Any
    value: Value
    path: Path
    schema: Schema
    found: list[KeywordResult]
    keywords: Keywords

    def report(self, detail: str = "") -> None:
        """Add the result of the keyword; `detail` is the field that it is about."""
        self.found.append(
            KeywordResult(self.path, self.name, self.expected, self.value, self.schema, detail)
        )

    def descend(self, schema: Schema, step: str | int) -> None:
        """Apply a schema to a part of the value."""
        _hold(schema, self.value[step], (*self.path, step), self.found, self.keywords)

    def also(self, schema: Schema) -> None:
        """Apply another schema to the value."""
        _hold(schema, self.value, self.path, self.found, self.keywords)

    def beside(self, schema: Schema) -> list[KeywordResult]:
        """The result of another schema for the value, kept apart from the rest."""
        found: list[KeywordResult] = []
        _hold(schema, self.value, self.path, found, self.keywords)
        return found


Keyword: TypeAlias = Callable[[_At], None]
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


def _same(one: Value, other: Value) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Python's `$` also matches before a final line feed; Go's does not
    return re.compile(pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern)


_LIMITS: Mapping[str, Callable[[Any, Value], bool]] = {
    "type": lambda wanted, value: not _TYPES[wanted](value),
    "enum": lambda allowed, value: not any(_same(value, one) for one in allowed),
    "const": lambda wanted, value: not _same(value, wanted),
    "pattern": lambda form, value: isinstance(value, str) and not _compiled(form).search(value),
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


def _limit(fails: Callable[[Any, Value], bool]) -> Keyword:
    def keyword(at: _At) -> None:
        if fails(at.expected, at.value):
            at.report()

    return keyword


def _required(at: _At) -> None:
    if isinstance(at.value, dict):
        for name in at.expected:
            if at.value.get(name) is None:
                at.report(name)


def _properties(at: _At) -> None:
    if isinstance(at.value, dict):
        for name, schema in at.expected.items():
            if schema and at.value.get(name) is not None:
                at.descend(schema, name)


def _additional(at: _At) -> None:
    if isinstance(at.value, dict):
        known = at.schema.get("properties", {})
        for name, item in at.value.items():
            if name not in known and item is not None:
                at.descend(at.expected, name)


def _items(at: _At) -> None:
    if isinstance(at.value, list):
        for index in range(len(at.value)):
            at.descend(at.expected, index)


class Items(Generic[MadeT]):
    """The keyword `items`, whose results for an item are reused while it is the same object.

    `make` turns the results of an item into its final form, which is taken from `before` if the
    item is the same. `beside` are the results about no item, and those in branches of a schema,
    which may not count.
    """

    def __init__(
        self,
        make: Callable[[Sequence[KeywordResult]], MadeT],
        before: Mapping[Path, Item[MadeT]],
    ) -> None:
        self.beside: list[KeywordResult] = []
        self.now: dict[Path, Item[MadeT]] = {}
        self.size = 0
        self._make = make
        self._before = before

    def __call__(self, at: _At) -> None:
        """Validate the items that have changed."""
        if at.found is not self.beside or (*at.path, 0) in self.now:
            _items(at)
            return
        for index, value in enumerate(at.value if isinstance(at.value, list) else ()):
            if self.size >= MOST_RESULTS:
                return
            path = (*at.path, index)
            known = self._before.get(path)
            if not (known and known.schema is at.expected and known.value is value):
                found: list[KeywordResult] = []
                _hold(at.expected, value, path, found, at.keywords)
                known = Item(at.expected, value, len(found), self._make(found))
            self.now[path] = known
            self.size += known.size


def _all_of(at: _At) -> None:
    for branch in at.expected:
        at.also(branch)


def _if(at: _At) -> None:
    branch = "else" if at.beside(at.expected) else "then"
    if branch in at.schema:
        at.also(at.schema[branch])


def _not(at: _At) -> None:
    if not at.beside(at.expected):
        at.report()


def _alternatives(at: _At) -> list[str]:
    """The names of the branches that hold; the annotations in all of them are results."""
    names = []
    for index, branch in enumerate(at.expected):
        inside = at.beside(branch)
        notes = [each for each in inside if each.keyword in NOTES]
        at.found.extend(notes)
        if len(notes) == len(inside):
            names.append(branch.get("required", [f"form {index + 1}"])[0])
    return names


def _any_of(at: _At) -> None:
    if not _alternatives(at):
        at.report()


def _one_of(at: _At) -> None:
    names = _alternatives(at)
    if len(names) != 1:
        at.report(" ".join(names))


def _notes_of_branches(at: _At) -> None:
    _alternatives(at)


def _expression(at: _At) -> None:
    # for the controllers, written in Go, an empty string means "not set"
    if isinstance(at.value, str) and at.value:
        at.report()


def _fields(at: _At) -> None:
    if isinstance(at.value, dict):
        known = at.schema.get("properties", {}).keys() | at.schema.get("x-mistaken", {}).keys()
        names = (name for name in at.value if isinstance(name, str) and name not in known)
        # `$patch` and similar keys are for kustomize.
        for name in islice((name for name in names if name[:1] != "$"), _MOST_UNKNOWN_FIELDS):
            at.report(name)


def _mistaken(at: _At) -> None:
    if isinstance(at.value, dict):
        for name in at.expected:
            if name in at.value:
                at.report(name)


def _unique(at: _At) -> None:
    if isinstance(at.value, list):
        at.report()


NOTES: Keywords = {
    "x-check": _At.report,
    "x-expression": _expression,
    "x-fields": _fields,
    "x-mistaken": _mistaken,
    "x-unique": _unique,
    "x-versions": _At.report,
}
"""The keywords that describe a value and refuse nothing."""

_COMPLETE: Keywords = {
    **{keyword: _limit(fails) for keyword, fails in _LIMITS.items()},
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    **NOTES,
}

_ABSENCE = ("required", "minProperties", "if", "not")
"""Keywords that an absent field can break."""

_PARTIAL: Keywords = {
    **{name: keyword for name, keyword in _COMPLETE.items() if name not in _ABSENCE},
    "anyOf": _notes_of_branches,
    "oneOf": _notes_of_branches,
}
