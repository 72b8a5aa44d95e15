"""A node of a kind's OpenAPI schema: the fields of a value, and its type.

A node is a view of the original schema, and computes its children on demand. A schema of 50 MB, or
one whose `$ref` form a cycle, costs no more than the path that an expression takes through it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from celvet.lint.model import Value
from celvet.lint.values import get, list_at, mapping_at, pointer_tokens, text_at
from celvet.record import field, record

Unnamed: TypeAlias = Literal["dropped", "kept", "guessed"]
"""What the API server does with a field that the schema does not name.

`dropped`: the API server drops it. `kept`: it stays (`preserveUnknownFields`
of old CRDs). `guessed`: for a published JSON Schema, which may be incomplete, it
counts as dropped if the schema names any field.
"""

ValueType: TypeAlias = Literal["", "array", "boolean", "integer", "number", "object", "string"]
"""The type of a value in the words of OpenAPI; empty if it may be of several."""

_MAX_REFERENCES = 32
_KEEPS = "x-kubernetes-preserve-unknown-fields"
_TEXT: Mapping[str, Value] = {"type": "string"}
_NUMBER: Mapping[str, Value] = {"type": "integer"}
_TRUTH: Mapping[str, Value] = {"type": "boolean"}
_TEXTS: Mapping[str, Value] = {"type": "object", "additionalProperties": _TEXT}
_ANYTHING: Mapping[str, Value] = {}

_OBJECT_META: Mapping[str, Value] = {
    "type": "object",
    "properties": {
        **dict.fromkeys(
            ("creationTimestamp", "deletionTimestamp", "generateName", "name", "namespace"), _TEXT
        ),
        **dict.fromkeys(("resourceVersion", "selfLink", "uid"), _TEXT),
        **dict.fromkeys(("deletionGracePeriodSeconds", "generation"), _NUMBER),
        **dict.fromkeys(("annotations", "labels"), _TEXTS),
        "finalizers": {"type": "array", "items": _TEXT},
        "managedFields": {"type": "array", "items": _ANYTHING},
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
    },
}
"""`metadata` of every object (`apimachinery/pkg/apis/meta/v1/types.go`); CRDs cannot add to it."""

_OF_EVERY_OBJECT: Mapping[str, Mapping[str, Value]] = {
    "apiVersion": _TEXT,
    "kind": _TEXT,
    "metadata": _OBJECT_META,
}


@record(eq=False)
class Structural:
    """What the schema says about one value.

    `root` is the document that a `$ref` points into. `is_object` marks the schema of
    a whole object, which always has `apiVersion`, `kind` and `metadata`.
    """

    schema: Mapping[str, Value]
    unnamed_fields: Unnamed = "dropped"
    root: Mapping[str, Value] = field(default_factory=dict, repr=False)
    is_object: bool = False

    @property
    def type(self) -> ValueType:
        """The one type that the value has; empty if it is unknown or there are several."""
        if (
            self.schema.get("x-kubernetes-int-or-string")
            or text_at(self.schema, ("format",)) == "int-or-string"
        ):
            return ""
        types = [name for name in self._types if name != "null"]
        value_types: tuple[ValueType, ...] = get_args(ValueType)
        return next((value_type for value_type in value_types if types == [value_type]), "")

    @property
    def values(self) -> tuple[str, ...] | None:
        """The texts that the value may be; None if it may be any text."""
        enum = self.enum
        if self.type != "string" or not enum:
            return None
        texts = tuple(text for text in enum if isinstance(text, str))
        return texts if len(texts) + enum.count(None) == len(enum) else None

    @property
    def enum(self) -> list[Value]:
        """The values of any type that the schema lists (`enum`)."""
        return list_at(self.schema, ("enum",))

    @property
    def minimum(self) -> float:
        """The least number that the value may be."""
        number = self.schema.get("minimum")
        return number if isinstance(number, int | float) else -math.inf

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that the schema names, in its order."""
        properties = mapping_at(self.schema, ("properties",))
        return tuple({**(_OF_EVERY_OBJECT if self._is_object else {}), **properties})

    @property
    def nullable(self) -> bool:
        """Whether the value may be null; True if several types are allowed."""
        return self.schema.get("nullable") is True or not self.type or "null" in self._types

    @property
    def required_fields(self) -> frozenset[str]:
        """The fields without which the API server refuses the value."""
        field_names = list_at(self.schema, ("required",))
        return frozenset(name for name in field_names if isinstance(name, str))

    @property
    def least(self) -> int:
        """The number of elements that a list has at least."""
        count = self.schema.get("minItems")
        return count if isinstance(count, int) else 0

    @property
    def items(self) -> Structural:
        """An element of a list."""
        return self._child(self.schema.get("items"))

    @property
    def map_value(self) -> Structural | None:
        """The value under any key, if the schema describes all keys alike; else None.

        In the API, such an object is a map, not a record of fields.
        """
        other_fields = self.schema.get("additionalProperties")
        alike = isinstance(other_fields, Mapping) and not self.names
        return self._child(other_fields) if alike else None

    def field(self, name: str) -> Structural | None:
        """The value of a field; None if the API server drops a field of that name."""
        if self._is_object and name in _OF_EVERY_OBJECT:
            return Structural(_OF_EVERY_OBJECT[name])
        properties = mapping_at(self.schema, ("properties",))
        if name in properties:
            return self._child(properties[name])
        other_fields = self.schema.get("additionalProperties")
        if isinstance(other_fields, Mapping):
            return self._child(other_fields)
        return ANYTHING if other_fields is True or not self._drops else None

    @property
    def _types(self) -> list[Value]:
        type_names = self.schema.get("type")
        return type_names if isinstance(type_names, list) else [type_names]

    @property
    def _is_object(self) -> bool:
        return self.is_object or bool(self.schema.get("x-kubernetes-embedded-resource"))

    @property
    def _drops(self) -> bool:
        """Whether a field that is not named is dropped."""
        schema = self.schema
        if self.unnamed_fields == "kept" or schema.get(_KEEPS) or self.type != "object":
            return False
        # In a structural schema these only narrow the properties; in others they may add some.
        has_combination = any(key in schema for key in ("$ref", "allOf", "anyOf", "oneOf"))
        return self.unnamed_fields == "dropped" or bool(
            schema.get("properties") and not has_combination
        )

    def _child(self, schema: Value) -> Structural:
        """The node of a part of the schema, its `$ref` followed."""
        for _ in range(_MAX_REFERENCES):
            reference = get(schema, ("$ref",))
            if not isinstance(reference, str):
                return Structural(mapping_at(schema), self.unnamed_fields, self.root)
            schema = self._referenced_part(reference)
        return ANYTHING

    def _referenced_part(self, reference: str) -> Value:
        """The part of the document that a reference names; None for another document."""
        if reference.partition("/")[0] != "#":
            return None
        return get(self.root, pointer_tokens(reference))


ANYTHING = Structural(_ANYTHING, "kept")
"""A value about which nothing is known."""
