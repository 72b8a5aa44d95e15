"""What the schema of a kind says about the fields of its objects."""

from __future__ import annotations

import pytest

from celvet.lint.crds import of_definition
from celvet.lint.predict.states.crd_shape import Shape

_DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {
        "group": "example.com",
        "names": {"kind": "Widget"},
        "versions": [
            {
                "name": "v1",
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "required": ["spec"],
                        "properties": {
                            "spec": {
                                "type": "object",
                                "required": ["size", "parts"],
                                "properties": {
                                    "size": {"type": "string", "enum": ["small", "large"]},
                                    "color": {"type": "string"},
                                    "parts": {
                                        "type": "object",
                                        "required": ["head"],
                                        "properties": {"head": {"type": "integer"}},
                                    },
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
}


@pytest.fixture
def shape() -> Shape:
    schema = of_definition(_DEFINITION)
    assert schema
    return Shape(schema, ())


@pytest.mark.parametrize(
    ("path", "required"),
    [
        ("spec", False),
        ("spec.size", True),
        ("spec.parts.head", True),
        ("spec.color", False),
        ("spec.color.deep", False),
    ],
)
def test_a_field_that_exists_with_its_top_level_field(
    path: str, required: bool, shape: Shape
) -> None:
    assert shape.requires(tuple(path.split("."))) == required


def test_types_and_values(shape: Shape) -> None:
    assert shape.has(("spec", "color"))
    assert not shape.has(("spec", "colour"))
    assert shape.type(("spec", "parts", "head")) == "integer"
    assert shape.values(("spec", "size")) == ("small", "large")
    assert shape.values(("spec", "color")) is None
    assert shape.allows(("spec", "size"), "small")
    assert not shape.allows(("spec", "size"), "other")


def test_without_a_schema_all_is_possible() -> None:
    shape = Shape(None, ())
    assert shape.has(("spec", "any"))
    assert shape.allows(("spec", "any"), 1)
    assert not shape.requires(("spec", "any"))
    assert shape.values(("spec", "any")) is None
