"""The shape of parsed nodes, without spans, short enough to write in a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celvet.lint.jsonpath.parse.nodes import (
    Array,
    Field,
    Filter,
    Identifier,
    List,
    Node,
    Recursive,
    Text,
    Union,
    Wildcard,
)


def shape(node: Node) -> Any:
    """A field is `.name`, a bare word `word:x`, a group a list, a number itself."""
    return _SHAPES.get(type(node), lambda literal: literal.value)(node)


def _filter(node: Filter) -> Any:
    right = [node.operator, shape(node.right)] if node.right else []
    return {"filter": [shape(node.left), *right]}


def _array(node: Array) -> str:
    parts = [node.start] if node.single else [node.start, node.end, node.step]
    return "[" + ":".join("" if part is None else str(part) for part in parts) + "]"


_SHAPES: dict[type, Callable[[Any], Any]] = {
    List: lambda node: [shape(inner) for inner in node.nodes],
    Field: lambda node: f".{node.name}",
    Array: _array,
    Filter: _filter,
    Union: lambda node: {"union": [shape(branch) for branch in node.branches]},
    Text: lambda node: {"text": node.text},
    Identifier: lambda node: f"word:{node.name}",
    Wildcard: lambda node: "*",
    Recursive: lambda node: "..",
}
