"""Unknown keys: which of them matter, and what was probably meant."""

from __future__ import annotations

import functools

from celvet.lint.model import Path, field_pattern
from celvet.lint.safe_text import in_backquotes
from celvet.lint.similar import closest_name
from celvet.lint.validation.result import KeywordResult, UnknownField, listed
from celvet.schemas import Kind, expression_sites
from celvet.schemas.kind import Schema
from celvet.schemas.sites import pattern

_LEAST_SIMILARITY = {"all": 0.65, "near": 0.8}
"""How similar a key must be to a field to count as misspelt (1: the same).

Where a schema has few of the fields, most unknown keys are just not described.
"""


def unknown_field(result: KeywordResult, kind: Kind, version: str) -> UnknownField | None:
    """The unknown field that a result is about; None if it does not matter.

    `version` is that of the object's `apiVersion`.
    """
    if result.keyword == "x-versions":
        return _not_in_version(result, kind, version)
    if result.keyword == "x-mistaken":
        return _mistake(result, kind)
    return _unlisted(result, kind)


def _not_in_version(result: KeywordResult, kind: Kind, version: str) -> UnknownField | None:
    versions = result.expectation
    if version in versions or version not in kind.versions:
        return None
    *parent, name = result.path
    fact = f"{_no_field(str(name), tuple(parent))} in version {in_backquotes(version)}"
    newest = next((name for name in kind.versions if name in versions), version)
    return UnknownField(
        path=result.path,
        name=str(name),
        suggestion="",
        message=f"{fact}; {kind.unknown}",
        help=f"Use `apiVersion: {kind.group}/{newest}`.",
    )


def _mistake(result: KeywordResult, kind: Kind) -> UnknownField:
    name = result.detail
    texts = result.expectation[name]
    suggestion = texts.get("meant", "")
    fact = texts.get("fact") or _no_field(name, result.path)
    return UnknownField(
        path=(*result.path, name),
        name=name,
        suggestion=suggestion,
        message=f"{fact}; {texts.get('then', kind.unknown)}",
        help=texts.get("help")
        or (f"Write {in_backquotes(suggestion)}." if suggestion else "Remove it."),
    )


def _unlisted(result: KeywordResult, kind: Kind) -> UnknownField | None:
    name, strictness = result.detail, result.expectation
    fields = result.schema.get("properties", {})
    home = _homes(kind).get(name, "")
    suggestion = "" if home else _similar_field(name, result.schema, strictness)
    # The catalogue may not have all fields of a kind: only a likely mistake is reported then.
    if strictness == "near" and not (home or suggestion):
        return None
    if home:
        advice = f"Move it to `{home}`."
    elif suggestion:
        advice = f"Write {in_backquotes(suggestion)}."
    else:
        advice = f"Remove it; the fields are {listed(list(fields))}."
    return UnknownField(
        path=(*result.path, name),
        name=name,
        suggestion=suggestion,
        message=f"{_no_field(name, result.path)}; {kind.unknown}",
        help=advice,
    )


def _similar_field(name: str, schema: Schema, strictness: str) -> str:
    fields = schema.get("properties", {})
    candidates = [field for field in fields if strictness == "all" or fields[field]]
    field = closest_name(name, candidates, _LEAST_SIMILARITY[strictness])
    return str(schema.get("x-mistaken", {}).get(field, {}).get("meant", field))


@functools.lru_cache(maxsize=256)
def _homes(kind: Kind) -> dict[str, str]:
    """The places where the fields on the path to an expression belong, by name."""
    homes: dict[str, str] = {}
    for site in expression_sites(kind):
        for index, segment in enumerate(site.segments[1:], start=1):
            homes.setdefault(segment, pattern(site.segments[:index]))
    return homes


def _no_field(name: str, parent: Path) -> str:
    place = in_backquotes(field_pattern(parent)) if parent else "the object"
    return f"{in_backquotes(name)} is not a field of {place}"
