"""The expressions in the template of a resource, each with the type that its field expects.

Mirrors `ParseResource` of kro (0302e659, `pkg/graph/parser/parser.go`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.controllers.kro.embedded import NestedError, concatenation, spans, standalone
from celvet.lint.model import Path, Value
from celvet.lint.values import mapping_at
from celvet.record import record

_KEEPS = "x-kubernetes-preserve-unknown-fields"
_ANY = {_KEEPS: True}
_NESTED = "an expression begins inside another one, outside of double quotes"


@record
class Part:
    """A text with expressions: `text` is what kro compiles, `offset` where that begins in it.

    `whole` says that it is one expression and no concatenation. `schema` is that of the field,
    None if it is not known. `refusal` is why kro refuses the template there.
    """

    path: Path
    text: str = ""
    offset: int = 0
    whole: bool = True
    schema: Mapping[str, Value] | None = None
    refusal: str = ""


def parts(value: Value, schema: Mapping[str, Value] | None, path: Path = ()) -> Iterator[Part]:
    """The expressions below a value, and what does not fit its schema; None is an unknown one."""
    if schema is not None and not any(
        schema.get(key) for key in (_KEEPS, "type", "oneOf", "anyOf", "additionalProperties")
    ):
        yield Part(path, refusal="its schema has no type")
        return
    # The schema decides which sort of value is right; without one, anything is.
    expected = _expected(schema)
    if isinstance(value, Mapping):
        yield from _in_mapping(value, schema, path, expected)
    elif isinstance(value, list):
        if expected and not {"array", "any"} & expected:
            yield Part(path, refusal=f"the schema has {_words(expected)} here, not a list")
            return
        items = schema.get("items") if schema else None
        inner = items if isinstance(items, Mapping) and "any" not in expected else None
        for index, item in enumerate(value):
            yield from parts(item, inner, (*path, index))
    elif isinstance(value, str):
        yield from _in_text(value, schema, path, expected)
    elif value is not None and expected and not _fits(value, expected):
        yield Part(path, refusal=f"the schema has {_words(expected)} here")


def _in_mapping(
    value: Mapping[str, Value],
    schema: Mapping[str, Value] | None,
    path: Path,
    expected: frozenset[str],
) -> Iterator[Part]:
    if expected and not {"object", "any"} & expected:
        yield Part(path, refusal=f"the schema has {_words(expected)} here, not a mapping")
        return
    for key, item in value.items():
        inner = None if schema is None or "any" in expected else _field(schema, key)
        if inner is None and schema is not None and "any" not in expected:
            yield Part((*path, key), refusal=f"the schema has no field `{key}` here")
            continue
        yield from parts(item, inner, (*path, key))


def _in_text(
    text: str, schema: Mapping[str, Value] | None, path: Path, expected: frozenset[str]
) -> Iterator[Part]:
    try:
        alone, places = standalone(text), spans(text)
    except NestedError:
        yield Part(path, refusal=_NESTED)
        return
    if alone:
        yield Part(path, text[alone.start : alone.end], alone.start, schema=schema)
    elif expected and not {"string", "any"} & expected:
        yield Part(path, refusal=f"the schema has {_words(expected)} here, not a string")
    elif places:
        yield Part(path, concatenation(text, places), 0, False, schema)


def _field(schema: Mapping[str, Value], key: str) -> Mapping[str, Value] | None:
    key_schema = mapping_at(schema, ("properties",)).get(key)
    additional = schema.get("additionalProperties")
    if isinstance(key_schema, Mapping):
        return key_schema
    if isinstance(additional, Mapping):
        return additional
    return _ANY if additional is True else None


def _expected(schema: Mapping[str, Value] | None) -> frozenset[str]:
    """The types that a value may have; empty without a schema."""
    if schema is None:
        return frozenset()
    if schema.get(_KEEPS):
        return frozenset({"any"})
    if schema.get("x-kubernetes-int-or-string"):
        return frozenset({"string", "integer"})
    for key in ("oneOf", "anyOf"):
        alternatives = schema.get(key)
        if isinstance(alternatives, list):
            kinds = {str(kind["type"]) for kind in map(mapping_at, alternatives) if "type" in kind}
            if any("required" in kind or "not" in kind for kind in map(mapping_at, alternatives)):
                kinds.add("object")
            if kinds:
                return frozenset(kinds)
    kind = schema.get("type")
    return frozenset({str(kind)}) if kind else frozenset({"any"})


def _fits(value: Value, expected: frozenset[str]) -> bool:
    if isinstance(value, bool):
        return bool({"boolean", "any"} & expected)
    kinds = {"number", "any"} | ({"integer"} if isinstance(value, int) else set())
    return bool(kinds & expected)


def _words(expected: frozenset[str]) -> str:
    return " or ".join(f"`{kind}`" for kind in sorted(expected))
