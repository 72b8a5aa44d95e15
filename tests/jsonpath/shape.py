"""The shape of parsed nodes, without spans, short enough to write in a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    FieldNode,
    FilterNode,
    IdentifierNode,
    ListNode,
    PathNode,
    RecursiveNode,
    TextNode,
    UnionNode,
    WildcardNode,
)


def shape(node: PathNode) -> Any:
    """A field is `.name`, a bare word `word:x`, a group a list, a number itself."""
    return _SHAPES.get(type(node), lambda literal: literal.value)(node)


def _filter(node: FilterNode) -> Any:
    right = [node.operator, shape(node.right)] if node.right else []
    return {"filter": [shape(node.left), *right]}


def _array(node: ArrayNode) -> str:
    parts = [node.start] if node.single else [node.start, node.end, node.step]
    return "[" + ":".join("" if part is None else str(part) for part in parts) + "]"


_SHAPES: dict[type, Callable[[Any], Any]] = {
    ListNode: lambda node: [shape(inner) for inner in node.nodes],
    FieldNode: lambda node: f".{node.name}",
    ArrayNode: _array,
    FilterNode: _filter,
    UnionNode: lambda node: {"union": [shape(branch) for branch in node.branches]},
    TextNode: lambda node: {"text": node.text},
    IdentifierNode: lambda node: f"word:{node.name}",
    WildcardNode: lambda node: "*",
    RecursiveNode: lambda node: "..",
}
