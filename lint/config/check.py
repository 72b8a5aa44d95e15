"""Checks settings against a JSON Schema, with the few keywords that they need.

jsonschema supports them all, but takes 90 ms to load, a third of a run without findings. A test
compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path as FilePath
from typing import Any, TypeAlias

from celvet.lint.model import Path, field_path
from celvet.lint.similar import did_you_mean
from celvet.record import record

Schema: TypeAlias = Mapping[str, Any]

_TYPES: Mapping[str, tuple[type[Any], str]] = {
    "object": (Mapping, "must be a mapping"),
    "array": (list, "must be a list"),
    "string": (str, "must be a text"),
    "integer": (int, "must be an integer"),
}


@record
class ConfigMistake:
    """A mistake in the setting at the path `keys` through mappings and lists."""

    keys: Path
    problem: str
    unknown: bool = False

    def message(self, *above: str) -> str:
        """The problem, with the names of the setting and of the keys above it."""
        name = f"`{field_path((*above, *self.keys))}`"
        return f"unknown key {name}; {self.problem}" if self.unknown else f"{name} {self.problem}"


@cache
def read_schema(file: FilePath) -> Schema:
    """The JSON Schema in a file of celvet."""
    schema: Schema = json.loads(file.read_text(encoding="utf-8"))
    return schema


def mistakes(
    value: Any, schema: Schema, keys: Path = (), defs: Schema | None = None
) -> Iterator[ConfigMistake]:
    """The mistakes in a value, in its order; `defs` are the definitions for `$ref`.

    A schema's `errorMessage` and `patternErrorMessage`, which editors also support, take
    precedence.
    """
    defs = schema.get("$defs", {}) if defs is None else defs
    if reference := schema.get("$ref"):
        schema = {**defs[reference.rpartition("/")[2]], **schema}
    if problem := _problem(value, schema):
        yield ConfigMistake(keys, problem)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from mistakes(item, schema["items"], (*keys, index), defs)
    elif isinstance(value, Mapping):
        properties = schema.get("properties", {})
        for name, setting in value.items():
            item_schema = properties.get(name, schema.get("additionalProperties", {}))
            if item_schema is False:
                yield ConfigMistake(
                    (*keys, str(name)), did_you_mean(str(name), properties), unknown=True
                )
            else:
                yield from mistakes(setting, item_schema, (*keys, str(name)), defs)


def _problem(value: Any, schema: Schema) -> str:
    """The mistake in a value itself, not in its items; empty if there is none."""
    type_, problem = _TYPES.get(schema.get("type", ""), (object, ""))
    if not isinstance(value, type_) or (type_ is int and isinstance(value, bool)):
        return str(schema.get("errorMessage", problem))
    if (values := schema.get("enum")) and not any(_same(value, item) for item in values):
        return "must be one of " + ", ".join(item for item in values if isinstance(item, str))
    if (pattern := schema.get("pattern")) and not re.search(pattern, value):
        return str(schema.get("patternErrorMessage", f"must match `{pattern}`"))
    if "maximum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        return str(schema["errorMessage"])
    missing = (f"has no `{key}`" for key in schema.get("required", ()) if key not in value)
    return next(missing, "")


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
