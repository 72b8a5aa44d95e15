"""Nodes of a schema, compared with the API server's own rules of pruning."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.crds import Structural
from celvet.lint.crds.structural import Unnamed
from tests.crds.definitions import fields

_TEXT = {"type": "string"}


def _node(schema: Any, unnamed: Unnamed = "dropped") -> Structural:
    return Structural(schema, unnamed, schema if isinstance(schema, dict) else {})


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer", "format": "int64"}, "integer"),
        ({"type": ["string", "null"]}, "string"),
        ({"type": ["string", "integer"]}, ""),
        ({"type": "string", "format": "int-or-string"}, ""),
        ({"x-kubernetes-int-or-string": True, "type": "string"}, ""),
        ({"type": "nonsense"}, ""),
        ({"type": {}}, ""),
        ({}, ""),
    ],
)
def test_type(schema: Any, type_: str) -> None:
    assert _node(schema).type == type_


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string", "enum": ["a", "b"]}, ("a", "b")),
        ({"type": "string", "enum": ["a", None], "nullable": True}, ("a",)),
        ({"type": "string", "enum": ["a", True]}, None),
        ({"type": "string", "enum": []}, None),
        ({"type": "string", "enum": "a"}, None),
        ({"type": "integer", "enum": [1]}, None),
        ({"type": "string"}, None),
    ],
)
def test_values(schema: Any, values: tuple[str, ...] | None) -> None:
    assert _node(schema).values == values


@pytest.mark.parametrize(
    ("schema", "unnamed", "kept"),
    [
        (fields(b=_TEXT), "dropped", False),
        ({"type": "object"}, "dropped", False),
        ({"type": "object", "additionalProperties": False}, "dropped", False),
        ({"type": "object", "additionalProperties": _TEXT}, "dropped", True),
        ({"type": "object", "additionalProperties": True}, "dropped", True),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "dropped", True),
        ({**fields(b=_TEXT), "x-kubernetes-preserve-unknown-fields": True}, "dropped", True),
        ({**fields(b=_TEXT), "anyOf": [{"required": ["b"]}]}, "dropped", False),
        (fields(b=_TEXT), "kept", True),
        (fields(b=_TEXT), "guessed", False),
        ({"type": "object"}, "guessed", True),
        ({**fields(b=_TEXT), "allOf": [fields(a=_TEXT)]}, "guessed", True),
        ({}, "dropped", True),
        ({"properties": "nonsense", "type": "object"}, "dropped", False),
    ],
)
def test_unnamed_fields(schema: Any, unnamed: Unnamed, kept: bool) -> None:
    assert (_node(schema, unnamed).field("a") is not None) is kept


def test_a_child_below_a_preserving_node_is_pruned_by_its_own_schema() -> None:
    schema = {**fields(a=fields(b=_TEXT)), "x-kubernetes-preserve-unknown-fields": True}
    child = _node(schema).field("a")
    assert child is not None
    assert child.field("c") is None


def test_every_object_has_its_metadata() -> None:
    root = Structural(fields(metadata={"type": "object"}), is_object=True)
    metadata = root.field("metadata")
    assert metadata is not None
    generation, label = metadata.field("generation"), metadata.field("labels")
    assert generation is not None
    assert generation.type == "integer"
    assert label is not None
    assert label.field("any") is not None
    assert metadata.field("lables") is None
    assert root.names == ("apiVersion", "kind", "metadata")
    assert _node({"type": "object"}).field("metadata") is None


def test_an_embedded_resource_has_them_too() -> None:
    node = _node({**fields(spec={"type": "object"}), "x-kubernetes-embedded-resource": True})
    assert node.field("kind") is not None
    assert node.field("status") is None


def test_references_within_the_document() -> None:
    schema = {
        "definitions": {"a/b": fields(c=_TEXT), "loop": {"$ref": "#/definitions/loop"}},
        "properties": {
            "a": {"$ref": "#/definitions/a~1b"},
            "loop": {"$ref": "#/definitions/loop"},
            "elsewhere": {"$ref": "other.json#/x"},
            "dangling": {"$ref": "#/definitions/none"},
        },
        "type": "object",
    }
    node = _node(schema, "guessed")
    assert [getattr(node.field(name), "type", None) for name in schema["properties"]] == [
        "object",
        "",
        "",
        "",
    ]


def test_a_schema_that_contains_itself_can_be_walked_for_ever() -> None:
    tree = fields(children={"type": "array", "items": {"$ref": "#/definitions/tree"}})
    node: Structural | None = _node({"definitions": {"tree": tree}, **tree}, "guessed")
    for _ in range(500):
        assert node is not None
        children = node.field("children")
        assert children is not None
        node = children.items


def test_what_is_required() -> None:
    assert Structural({"required": ["phase", 7]}).required_fields == {"phase"}
    assert Structural({"required": "phase"}).required_fields == set()
    assert Structural({"minItems": 2}).least == 2
    assert Structural({"minItems": "two"}).least == 0
