"""Holds a file of the catalogue of kinds against `kinds/kind.schema.json`.

It knows the keywords of JSON Schema that this schema uses, and no others, so that the
catalogue is read without a library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def problems(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[str]:
    """What a schema objects to in a value, each with its place: `life[2].stage: ...`.

    `root` is the schema with the definitions.
    """
    for place, message in _problems(value, schema, root, ""):
        yield f"`{place.lstrip('.')}` {message}" if place else message


def _problems(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], place: str
) -> Iterator[tuple[str, str]]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from _problems(value, root["$defs"][name], root, place)
    types = schema.get("type", ())
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[each](value) for each in types):
        yield place, f"is no {' or '.join(types)}"
        return
    yield from ((place, message) for message in _plain(value, schema))
    if "oneOf" in schema:
        yield from _choice(value, schema["oneOf"], root, place)
    if isinstance(value, dict):
        yield from _mapping(value, schema, root, place)
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from _problems(item, schema["items"], root, f"{place}[{index}]")


def _plain(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"is none of {', '.join(map(str, schema['enum']))}"
    if "const" in schema and value is not schema["const"]:
        yield f"can only be {str(schema['const']).lower()}"
    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            yield "is empty"
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"is {value!r:.60}, which does not match {schema['pattern']}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        yield f"is less than {schema['minimum']}"
    least = schema.get("minItems" if isinstance(value, list) else "minProperties", 0)
    if isinstance(value, list | dict) and len(value) < least:
        yield "has too few entries"
    if schema.get("uniqueItems") and len({str(each) for each in value}) < len(value):
        yield "has an entry twice"


def _choice(
    value: Any, forms: list[Mapping[str, Any]], root: Mapping[str, Any], place: str
) -> Iterator[tuple[str, str]]:
    """The objections of the form that comes nearest: that which gets furthest into the value."""
    objections = [list(_problems(value, form, root, place)) for form in forms]
    if all(objections):
        yield max(objections, key=lambda found: max(len(where) for where, _ in found))[0]


def _mapping(
    value: Mapping[Any, Any], schema: Mapping[str, Any], root: Mapping[str, Any], place: str
) -> Iterator[tuple[str, str]]:
    known, further = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            yield place, f"has no `{name}`" if place else f"`{name}` is missing"
    for key, each in value.items():
        inner = f"{place}.{key}"
        if not isinstance(key, str):
            yield place, f"has the key {key}, which is no text: put it in quotes"
        elif key in known:
            yield from _problems(each, known[key], root, inner)
        elif further is False:
            yield inner, "is not known here"
        else:
            pattern = schema.get("propertyNames", {}).get("pattern", "")
            if not re.search(pattern, key):
                yield inner, f"does not match {pattern}"
            if isinstance(further, Mapping):
                yield from _problems(each, further, root, inner)
