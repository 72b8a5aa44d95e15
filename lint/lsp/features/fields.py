"""The fields that expressions select, and what is known about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    Node,
    Select,
    parents,
    walk,
)
from celvet.lint.crds import CrdSchema, Structural
from celvet.lint.model import GroupKind, Span, Value
from celvet.record import field, record
from celvet.schemas import Dialect

Steps: TypeAlias = tuple[str | None, ...]
"""Names of fields from the root of an object; None steps into a list."""

COMPARING = frozenset({"_==_", "_!=_", "@in"})
"""Operators that compare a field with texts."""

_ELEMENT = frozenset({"first", "last"})
_SAME = frozenset({"filter", "orValue", "or", "value", "optional.of"})
_MOST_ELEMENTS = 20
_TEXT: Mapping[str, Value] = {"type": "string"}
_CONDITION: Mapping[str, Value] = {
    "type": "object",
    "properties": {
        "type": _TEXT,
        "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
        "reason": _TEXT,
        "message": _TEXT,
        "observedGeneration": {"type": "integer"},
        "lastTransitionTime": _TEXT,
    },
}
_ANY_OBJECT: Mapping[str, Value] = {
    "type": "object",
    "properties": {
        "spec": {"type": "object"},
        "status": {
            "type": "object",
            "properties": {
                "conditions": {"type": "array", "items": _CONDITION},
                "observedGeneration": {"type": "integer"},
            },
        },
    },
}
"""Fields that most kinds have; facts about the kind itself take precedence."""

_CUSTOMARY = CrdSchema(GroupKind("", ""), (("", Structural(_ANY_OBJECT, "kept", is_object=True)),))


@record
class KnownFields:
    """Fields of the objects under check: their schemas, and their known values.

    `words` are values that the controller is known to write, each with its meaning.
    """

    schemas: Sequence[CrdSchema]
    compared_texts: Mapping[Steps, Sequence[str]]
    words: Mapping[Steps, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        schema: CrdSchema | None,
        objects: Iterable[Value],
        compared_texts: Mapping[Steps, Sequence[str]],
        words: Mapping[Steps, Mapping[str, str]] | None = None,
    ) -> KnownFields:
        """From a CRD's schema, from known objects and from texts that expressions name."""
        versions = tuple(
            ("", Structural(_inferred_schema(value), "kept"))
            for value in objects
            if isinstance(value, Mapping)
        )
        from_objects = CrdSchema(GroupKind("", ""), versions)
        crd_schemas = [schema] if schema else []
        return cls([*crd_schemas, from_objects, _CUSTOMARY], compared_texts, words or {})

    def names(self, steps: Steps) -> dict[str, Structural]:
        """The fields of the objects at some steps, each with what is known about it."""
        nodes: dict[str, Structural] = {}
        for node in self.at(steps):
            for name in node.names:
                child = node.field(name)
                if child and name not in nodes:
                    nodes[name] = child
        return nodes

    def at(self, steps: Steps) -> list[Structural]:
        """The schemas of the value at some steps, the best first."""
        return [node for schema in self.schemas for node in schema.at(*steps) if node.schema]

    def values(self, steps: Steps) -> dict[str, str]:
        """Strings that the value at some steps can be, each with its meaning if that is known."""
        enum_values = [text for node in self.at(steps) for text in node.values or ()]
        meanings = dict.fromkeys([*enum_values, *self.compared_texts.get(steps, ())], "")
        word_meanings = self.words.get(steps, {})
        return {**word_meanings, **meanings, **word_meanings}


def steps(node: Node, root: Node, dialect: Dialect) -> Steps | None:
    """The fields that lead to a part of an expression; None if it is not part of an object.

    Raises `RecursionError` for nesting deeper than anybody writes.
    """
    if isinstance(node, Ident):
        return _steps_of_name(node, root, dialect)
    if isinstance(node, Select):
        return _child_steps(steps(node.operand, root, dialect), node.field)
    if isinstance(node, Call) and node.function in ("_[_]", "_[?_]"):
        key = node.args[1]
        text = key.value if isinstance(key, Literal) and isinstance(key.value, str) else None
        return _child_steps(steps(node.args[0], root, dialect), text)
    if isinstance(node, Call | Macro) and node.target:
        name = node.function if isinstance(node, Call) else node.name
        if name in _SAME:
            return steps(node.target, root, dialect)
        if name in _ELEMENT:
            return _child_steps(steps(node.target, root, dialect), None)
    return None


def comparisons(root: Node, dialect: Dialect) -> Iterator[tuple[Steps, str, Span]]:
    """The texts that an expression compares fields with, and where they are."""
    for node in walk(root):
        if isinstance(node, Call) and node.function in COMPARING:
            for operand, other_operand in (node.args, node.args[::-1]):
                field_steps = steps(operand, root, dialect)
                for literal in (
                    other_operand.elements
                    if isinstance(other_operand, ListExpr)
                    else (other_operand,)
                ):
                    text = literal.value if isinstance(literal, Literal) else None
                    if field_steps and text and isinstance(text, str):
                        yield field_steps, text, literal.span


def _child_steps(parent_steps: Steps | None, step: str | None) -> Steps | None:
    return None if parent_steps is None else (*parent_steps, step)


def _steps_of_name(node: Ident, root: Node, dialect: Dialect) -> Steps | None:
    """For a macro's variable, the elements of the macro's target; else a variable or a field."""
    name = node.name.removeprefix(".")
    for macro in bindings(node, root):
        if name in macro.variables and macro.target:
            target = steps(macro.target, root, dialect)
            return target if macro.name.startswith("opt") else _child_steps(target, None)
    if dialect.variables:
        return () if name in (dialect.object, dialect.owner) else None
    return (name,)


def bindings(node: Node, root: Node) -> list[Macro]:
    """The macros that contain a node in an argument, the innermost first."""
    parent_of = parents(root)
    macros = []
    while node in parent_of:
        parent = parent_of[node]
        if isinstance(parent, Macro) and node is not parent.target:
            macros.append(parent)
        node = parent
    return macros


def _inferred_schema(value: Value, depth: int = 12) -> dict[str, Value]:
    """A schema that says what a value has."""
    if isinstance(value, Mapping) and depth:
        properties = {
            str(name): _inferred_schema(child, depth - 1) for name, child in value.items()
        }
        return {"type": "object", "properties": properties}
    if isinstance(value, list) and depth:
        item_schema: dict[str, Value] = {}
        for element in islice(value, _MOST_ELEMENTS):
            element_schema = _inferred_schema(element, depth - 1)
            fields = {**item_schema.get("properties", {}), **element_schema.get("properties", {})}
            item_schema = {**element_schema, "properties": fields}
        return {"type": "array", "items": item_schema}
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return {"type": kinds[type(value)]} if type(value) in kinds else {}
