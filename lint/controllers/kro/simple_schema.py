"""The schema of an instance, written as kro's SimpleSchema: `string | default=x required=true`.

Mirrors `pkg/simpleschema` of kro (0302e659, `transform.go`, `parse.go`, `markers.go`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from celvet.lint.model import Path, Value
from celvet.lint.values import get, mapping_at
from celvet.record import record
from celvet.regex import regex

KEEPS = "x-kubernetes-preserve-unknown-fields"
_ANY: Mapping[str, Value] = {"type": "object", KEEPS: True}
_REFUSED: Mapping[str, Value] = {**_ANY, "default": {}}
"""A field that is refused: each instance has it, of any type, so that it gives no other reason."""
_SCALARS = {"boolean": "boolean", "string": "string", "integer": "integer", "float": "number"}
_INTEGER = regex(r"[+-]?\d+")
_NUMBER = regex(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?([iI]nf|[nN]a[nN])")
_ESCAPE = regex(r'\\(["\\])')
_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})
_MOST_DEEP = 16


@record
class SchemaProblem:
    """Why kro refuses the schema, and where."""

    path: Path
    message: str


class _TypeError(ValueError):
    """A text is no field of a SimpleSchema; the text is the reason."""


def with_defaults(value: Value, schema: Value) -> Value:
    """The value with the defaults that the API server adds, from the outside inwards."""
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, list):
        return [with_defaults(item, schema.get("items")) for item in value]
    if not isinstance(value, Mapping):
        return value
    fields = mapping_at(schema, ("properties",))
    defaults = {key: get(part, ("default",)) for key, part in fields.items() if key not in value}
    present = {**value, **{key: part for key, part in defaults.items() if part is not None}}
    others = schema.get("additionalProperties")
    return {key: with_defaults(part, fields.get(key, others)) for key, part in present.items()}


class SimpleSchema:
    """The OpenAPI schema of a SimpleSchema with its own types; unknown parts are any value."""

    def __init__(self, value: Value, types: Mapping[str, Value], at: Path, types_at: Path) -> None:
        self.problems: list[SchemaProblem] = []
        self._definitions, self._types_at = types, types_at
        self._types: dict[str, Mapping[str, Value]] = {}
        self._open: list[str] = []
        for name in types:
            self._custom(name)
        self.schema = self._of(value, at)

    def _of(self, value: Value, path: Path, depth: int = 0) -> Mapping[str, Value]:
        """The schema of a field; one that is required says so."""
        is_openapi = isinstance(value, Mapping) and value.get("type") == "array"
        if is_openapi and "array" not in self._definitions:
            self._add((*path, "type"), "there is no type `array` (a list is written `[]TYPE`)")
        elif isinstance(value, Mapping) and depth <= _MOST_DEEP:
            return self._object(value, path, depth)
        if isinstance(value, str):
            try:
                return self._field(value)
            except _TypeError as problem:
                self._add(path, str(problem))
        elif not isinstance(value, Mapping):
            self._add(path, "a field of the schema is a text with a type, or a mapping")
        return _REFUSED

    def _object(self, value: Mapping[str, Value], path: Path, depth: int) -> Mapping[str, Value]:
        fields = {key: self._of(part, (*path, key), depth + 1) for key, part in value.items()}
        required_keys = [key for key, field in fields.items() if field.get("required") is True]
        schema: dict[str, Value] = {"type": "object", "properties": fields}
        # An object without required fields exists by default if a field of it does.
        if not required_keys and any("default" in field for field in fields.values()):
            schema["default"] = {}
        return schema

    def _add(self, path: Path, message: str) -> None:
        self.problems.append(SchemaProblem(path, message))

    def _field(self, text: str) -> Mapping[str, Value]:
        kind, bar, markers = text.partition("|")
        if not kind.strip():
            raise _TypeError("the field has no type")
        schema = dict(self._type(kind.strip()))
        for marker, value in _markers(markers) if bar else ():
            _apply(schema, marker, value)
        return schema

    def _type(self, kind: str, depth: int = 0) -> Mapping[str, Value]:
        kind = kind.strip()
        if depth > _MOST_DEEP:
            raise _TypeError("the type is nested too deep")
        if kind in _SCALARS:
            return {"type": _SCALARS[kind]}
        if kind == "object":
            return _ANY
        if kind.startswith("[]"):
            if kind == "[]":
                raise _TypeError("the list has no type of its elements")
            return {"type": "array", "items": _plain(self._type(kind[2:], depth + 1))}
        if kind.startswith("map["):
            inner = kind.removeprefix("map[string]")
            if inner == kind:
                raise _TypeError("the keys of a map are of type `string`")
            if not inner.strip():
                raise _TypeError("the map has no type of its values")
            values = _plain(self._type(inner, depth + 1))
            return {"type": "object", "additionalProperties": values}
        if kind not in self._definitions:
            raise _TypeError(f"there is no type `{kind}`")
        return self._custom(kind)

    def _custom(self, name: str) -> Mapping[str, Value]:
        if name not in self._types:
            if name in self._open:
                raise _TypeError(f"the type `{name}` contains itself")
            self._open.append(name)
            self._types[name] = self._of(self._definitions[name], (*self._types_at, name))
            self._open.pop()
        return self._types[name]


def _plain(schema: Mapping[str, Value]) -> Mapping[str, Value]:
    """A schema without what says that a field of its type is required."""
    return {key: part for key, part in schema.items() if key != "required"}


def _markers(text: str) -> Iterator[tuple[str, str]]:
    """The markers of a text, each as its key and value (`ParseMarkers`)."""
    key, buffer, is_marked = "", "", False
    for letter, is_bare in _letters(text):
        # The first `=` outside of quotes and brackets ends the name of a marker, a blank its value.
        if letter == "=" and not key and is_bare:
            key, buffer, is_marked = buffer.strip(), "", True
            if key not in _MARKERS:
                raise _TypeError(f"there is no marker `{key}`" if key else "a marker has no name")
        elif not letter.isspace() or not is_bare:
            buffer += letter
        elif key:
            yield key, _unquoted(buffer)
            key, buffer = "", ""
    if not key:
        words = "a value with blanks needs quotes" if is_marked else "it is written `NAME=VALUE`"
        raise _TypeError(f"the text ends with no marker: {words}")
    yield key, _unquoted(buffer)


def _letters(text: str) -> Iterator[tuple[str, bool]]:
    """The letters of a text, and whether each is outside of quotes and brackets."""
    depth, in_quotes, is_escape = 0, False, False
    for letter in text:
        yield letter, not in_quotes and not depth
        # Brackets in quotes are text, and so is an escaped quote.
        if in_quotes:
            in_quotes, is_escape = letter != '"' or is_escape, letter == "\\" and not is_escape
        else:
            in_quotes = letter == '"'
            depth += (letter in "{[") - (letter in "}]")
        if depth < 0:
            raise _TypeError("a bracket in a marker is not opened")
    if in_quotes or depth:
        raise _TypeError("a quote or a bracket in a marker is not closed")


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return _ESCAPE.sub(r"\1", value[1:-1])
    return value.strip()


def _apply(schema: dict[str, Value], marker: str, value: str) -> None:
    """Add a marker to the schema of its field; raises `_TypeError` as `applyMarker` does."""
    kind, (kinds, is_valid, kind_words) = schema.get("type"), _MARKERS[marker]
    if kinds and kind not in kinds:
        raise _TypeError(f"`{marker}` does not belong to the type `{kind}`")
    if not is_valid(value):
        raise _TypeError(f"`{marker}` needs {kind_words}, not `{value}`")
    if marker == "required" and value in _TRUE:
        schema["required"] = True
    elif marker == "default":
        schema["default"] = _default(str(kind), value)
    elif marker == "enum" and kind == "integer" and not all(map(_is_integer, _listed(value))):
        raise _TypeError(f"`enum` needs integers, not `{value}`")


def _default(kind: str, value: str) -> Value:
    if kind == "string":
        return value
    checks = {"integer": _is_integer, "number": _is_number, "boolean": _is_truth}
    if kind in checks and not checks[kind](value):
        raise _TypeError(f"`default` is no value of type `{kind}`: `{value}`")
    try:
        default: Value = json.loads(value)
    except ValueError:
        return None
    return default


def _is_integer(value: str) -> bool:
    return _INTEGER.fullmatch(value) is not None and abs(int(value)) < 2**63


def _is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value) is not None


def _is_truth(value: str) -> bool:
    return value in _TRUE or value in _FALSE


def _listed(value: str) -> list[str]:
    return [part.strip() for part in value.split(",")]


def _is_pattern(value: str) -> bool:
    from celvet.lint.go.regexp.regex import regexp_error  # few schemas have a pattern

    return bool(value) and not regexp_error(value)


def _is_any(_: str) -> bool:
    return True


_Marker = tuple[tuple[str, ...], Callable[[str], bool], str]
_LIST, _TEXT = ("array",), ("string",)
_MARKERS: Mapping[str, _Marker] = {
    "required": ((), _is_truth, "`true` or `false`"),
    "default": ((), _is_any, ""),
    "description": ((), _is_any, ""),
    "minimum": ((), _is_number, "a number"),
    "maximum": ((), _is_number, "a number"),
    "validation": ((), lambda value: bool(value.strip()), "an expression"),
    "enum": (("string", "integer"), lambda value: all(_listed(value)), "values"),
    "immutable": ((), _is_truth, "`true` or `false`"),
    "pattern": (_TEXT, _is_pattern, "a regular expression"),
    "uniqueItems": (_LIST, _is_truth, "`true` or `false`"),
    "minLength": (_TEXT, _is_integer, "an integer"),
    "maxLength": (_TEXT, _is_integer, "an integer"),
    "minItems": (_LIST, _is_integer, "an integer"),
    "maxItems": (_LIST, _is_integer, "an integer"),
    "listType": (_LIST, {"atomic", "set", "map"}.__contains__, "`atomic`, `set` or `map`"),
    "listMapKey": (_LIST, _is_any, ""),
}
"""The markers: the types that they belong to, whether a value is right, and the words for one."""
