"""Unknown keys: which of them matter, and what was probably meant."""

from __future__ import annotations

import functools

from celvet.lint.model import field_pattern
from celvet.lint.safe_text import quoted
from celvet.lint.similar import similar
from celvet.lint.validation.keyword_result import KeywordResult, listed
from celvet.lint.validation.result import UnknownField
from celvet.schemas import Kind, expression_sites
from celvet.schemas.kind import Schema
from celvet.schemas.sites import pattern

_ALIKE = {"all": 0.6, "near": 0.8}
"""How similar a key must be to a field to count as misspelt (1: the same).

Where a schema has few of the fields, most unknown keys are just not described.
"""


def unknown_field(result: KeywordResult, kind: Kind, version: str) -> UnknownField | None:
    """The unknown field that `result.detail` names; None if it does not matter.

    `version` is that of the object's `apiVersion`.
    """
    if result.keyword == "x-versions":
        return _not_in_version(result, kind, version)
    if result.keyword == "x-mistaken":
        return _mistaken(result, kind)
    return _unlisted(result, kind)


def _not_in_version(result: KeywordResult, kind: Kind, version: str) -> UnknownField | None:
    if version in result.expectation or version not in kind.versions:
        return None
    name = str(result.path[-1])
    fact = (
        f"{quoted(name)} is not a field of {_place(result.path[:-1])} in version {quoted(version)}"
    )
    newest = next((known for known in kind.versions if known in result.expectation), version)
    return UnknownField(
        path=result.path,
        name=name,
        suggestion="",
        message=_message(fact, kind),
        help=f"Use `apiVersion: {kind.group}/{newest}`.",
    )


def _mistaken(result: KeywordResult, kind: Kind) -> UnknownField:
    name, given = result.detail, result.expectation[result.detail]
    meant = given.get("meant", "")
    fact = given.get("fact") or _no_field(result)
    return UnknownField(
        path=(*result.path, name),
        name=name,
        suggestion=meant,
        message=f"{fact}; {given['then']}" if "then" in given else _message(fact, kind),
        help=given.get("help") or (f"Write {quoted(meant)}." if meant else "Remove it."),
    )


def _unlisted(result: KeywordResult, kind: Kind) -> UnknownField | None:
    name, strictness = result.detail, result.expectation
    home = _homes(kind).get(name, "")
    alike = "" if home else _resembled(name, result.schema, strictness)
    if strictness == "near" and not (home or alike):
        return None
    return UnknownField(
        path=(*result.path, name),
        name=name,
        suggestion=alike,
        message=_message(_no_field(result), kind),
        help=_help(home, alike, result.schema),
    )


def _help(home: str, alike: str, schema: Schema) -> str:
    if home:
        return f"Move it to `{home}`."
    if alike:
        return f"Write {quoted(alike)}."
    return f"Remove it; the fields are {listed(list(schema.get('properties', {})))}."


def _resembled(name: str, schema: Schema, strictness: str) -> str:
    fields = schema.get("properties", {})
    known = [field for field in fields if strictness == "all" or fields[field]]
    field = similar(name, known, _ALIKE[strictness])
    return str(schema.get("x-mistaken", {}).get(field, {}).get("meant", field))


@functools.lru_cache(maxsize=256)
def _homes(kind: Kind) -> dict[str, str]:
    """The places where the fields on the path to an expression belong, by name."""
    homes: dict[str, str] = {}
    for site in expression_sites(kind):
        for index, segment in enumerate(site.segments[1:], start=1):
            homes.setdefault(segment, pattern(site.segments[:index]))
    return homes


def _no_field(result: KeywordResult) -> str:
    return f"{quoted(result.detail)} is not a field of {_place(result.path)}"


def _place(path: tuple[str | int, ...]) -> str:
    return quoted(field_pattern(path)) if path else "the object"


def _message(fact: str, kind: Kind) -> str:
    return f"{fact}; {kind.unknown}"
