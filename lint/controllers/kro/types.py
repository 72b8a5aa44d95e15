"""The CEL types of objects, by the OpenAPI schemas of their kinds.

Mirrors `SchemaDeclTypeWithMetadata` of kro (0302e659, `pkg/cel/schemas.go`).
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Value
from celvet.lint.values import mapping_at
from celvet.regex import regex
from celvet.schemas.dialect import Struct

_KEEPS = "x-kubernetes-preserve-unknown-fields"
_FORMATS = {"byte": "bytes", "date-time": "timestamp", "date": "timestamp", "duration": "duration"}
_SCALARS = {"boolean": "bool", "integer": "int", "number": "double"}
_ESCAPED = (("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__"))
_NAME = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_MOST_DEEP = 24
_TEXT: Mapping[str, Value] = {"type": "string"}
_TIME: Mapping[str, Value] = {"type": "string", "format": "date-time"}
_TEXTS: Mapping[str, Value] = {"type": "object", "additionalProperties": _TEXT}
_NUMBER: Mapping[str, Value] = {"type": "integer"}
_TRUTH: Mapping[str, Value] = {"type": "boolean"}

METADATA: Mapping[str, Value] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("name", "namespace", "generateName", "uid", "selfLink"), _TEXT),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _TIME),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _NUMBER),
        **dict.fromkeys(("labels", "annotations"), _TEXTS),
        "resourceVersion": _TEXT,
        "finalizers": {"type": "array", "items": _TEXT},
        "ownerReferences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **dict.fromkeys(("apiVersion", "kind", "name", "uid"), _TEXT),
                    **dict.fromkeys(("blockOwnerDeletion", "controller"), _TRUTH),
                },
            },
        },
        "managedFields": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **dict.fromkeys(("apiVersion", "fieldsType", "manager", "operation"), _TEXT),
                    "subresource": _TEXT,
                    "time": _TIME,
                    "fieldsV1": {"type": "object"},
                },
            },
        },
    },
}
"""`ObjectMeta` (`apimachinery/pkg/apis/meta/v1/types.go`), whose times are typed here."""


def object_schema(schema: Mapping[str, Value], *, namespaced: bool = True) -> Mapping[str, Value]:
    """The schema of a whole object, with what every object has."""
    properties = mapping_at(schema, ("properties",))
    metadata = METADATA
    if not namespaced:
        parts = mapping_at(METADATA, ("properties",))
        parts = {key: part for key, part in parts.items() if key != "namespace"}
        metadata = {**METADATA, "properties": parts}
    fields = {"apiVersion": _TEXT, "kind": _TEXT, **properties, "metadata": metadata}
    return {**schema, "type": "object", "properties": fields}


class Types:
    """The structs of a graph, collected while types are asked for."""

    def __init__(self) -> None:
        self._structs: dict[str, Struct] = {}
        self.schemas: dict[str, Mapping[str, Value]] = {}

    @property
    def structs(self) -> tuple[Struct, ...]:
        """All structs so far."""
        return tuple(self._structs.values())

    def fields(self, name: str) -> Mapping[str, str]:
        """The fields of a struct, by name; empty for another type."""
        struct = self._structs.get(name)
        return dict(struct.fields) if struct else {}

    def of(self, schema: Value, name: str, depth: int = 0) -> str:  # noqa: PLR0911 - a table of types
        """The type of a value; empty if kro does not show it. `name` is that of a new struct."""
        if not isinstance(schema, Mapping) or depth > _MOST_DEEP:
            return "dyn"
        if schema.get("x-kubernetes-embedded-resource"):
            return "dyn"
        if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
            return "dyn"
        kind = schema.get("type")
        if kind == "string":
            return _FORMATS.get(str(schema.get("format")), "string")
        if kind == "array":
            inner = self.of(schema.get("items"), f"{name}_item", depth + 1)
            return f"list({inner})" if inner else ""
        if kind == "object":
            return self._object(schema, name, depth)
        return _SCALARS.get(str(kind), "")

    def _object(self, schema: Mapping[str, Value], name: str, depth: int) -> str:
        additional = schema.get("additionalProperties")
        if isinstance(additional, Mapping):
            inner = self.of(additional, f"{name}_value", depth + 1) or "dyn"
            return f"map(string, {inner})"
        if additional is True:
            return "map(string, dyn)"
        if schema.get(_KEEPS):
            return "dyn"
        fields = []
        for key, part in mapping_at(schema, ("properties",)).items():
            escaped = escaped_name(key)
            kind = self.of(part, f"{name}_{escaped}", depth + 1)
            if kind and _NAME.fullmatch(escaped):
                fields.append((escaped, kind))
        self._structs[name] = Struct(name, tuple(fields))
        self.schemas[name] = schema
        return name


def escaped_name(name: str) -> str:
    """A field as expressions name it (`Escape` of apiserver's `pkg/cel/escaping.go`)."""
    for letters, escape in _ESCAPED:
        name = name.replace(letters, escape)
    return name


def compatible(output: str, expected: str, types: Types) -> bool:  # noqa: PLR0911 - a table
    """Whether a value of a type fits where another is expected (`pkg/cel/compatibility.go`)."""
    output = output.removeprefix("optional_type(")[:-1] if output.startswith("opt") else output
    if "dyn" in (output, expected) or not expected or output == expected:
        return True
    if expected.startswith("list(") or output.startswith("list("):
        are_lists = expected.startswith("list(") and output.startswith("list(")
        return are_lists and compatible(output[5:-1], expected[5:-1], types)
    if expected.startswith("map(") and output.startswith("map("):
        return compatible(output.partition(", ")[2][:-1], expected.partition(", ")[2][:-1], types)
    # A map fits a struct, and a struct a map, if each field would: a literal of CEL is a map.
    fields, expected_fields = types.fields(output), types.fields(expected)
    if output.startswith("map("):
        inner = output.partition(", ")[2][:-1]
        return bool(expected_fields or types.schemas.get(expected)) and all(
            compatible(inner, kind, types) for kind in expected_fields.values()
        )
    if expected.startswith("map("):
        inner = expected.partition(", ")[2][:-1]
        return output in types.schemas and all(
            compatible(kind, inner, types) for kind in fields.values()
        )
    # Of two structs, the output may lack fields, but has none that the other does not have.
    if output in types.schemas and expected in types.schemas:
        return fields.keys() <= expected_fields.keys() and all(
            compatible(kind, expected_fields[name], types) for name, kind in fields.items()
        )
    return expected in types.schemas  # kro looks up the fields of both, and forgives one without
