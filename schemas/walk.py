"""Walks a schema: which part of it describes which part of an object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celvet.regex import regex
from celvet.schemas.kind import Schema

ITEM = "[]"
"""The segment of a pattern that stands for any element of a list."""

ANY_KEY = "*"
"""The segment of a pattern that stands for any key of a mapping."""

_STEP = regex(r"\[([^\]]+)\]|(\[\])|([^.\[]+)")

ALTERNATIVES = ("allOf", "anyOf", "oneOf")
CONDITIONS = ("if", "then", "else", "not")


def steps(path: str) -> tuple[str, ...]:
    """The steps of a path: `spec.steps[].name`.

    One with dots in it is in brackets: `metadata.labels[a.io/b]`.
    """
    return tuple(name or item or plain for name, item, plain in _STEP.findall(path))


def children(schema: Schema) -> Iterator[tuple[str, str | None, Any]]:
    """The subschemas with their keyword and the segment they lead to.

    The segment is a field name, `ITEM` or `ANY_KEY`, and None for a subschema
    that describes the same value again.
    """
    for name, subschema in schema.get("properties", {}).items():
        yield "properties", name, subschema
    if "items" in schema:
        yield "items", ITEM, schema["items"]
    if "additionalProperties" in schema:
        yield "additionalProperties", ANY_KEY, schema["additionalProperties"]
    for keyword in ALTERNATIVES:
        for subschema in schema.get(keyword, ()):
            yield keyword, None, subschema
    for keyword in CONDITIONS:
        if keyword in schema:
            yield keyword, None, schema[keyword]
