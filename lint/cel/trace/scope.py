"""Binds the variables of macros, so that a part of a macro can be evaluated by itself."""

from __future__ import annotations

from typing import Any

from celvet.lint.cel.engine.activation import Activation
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    Select,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import TYPES
from celvet.lint.model import Span
from celvet.record import record

_NOWHERE = (0, Span(0, 0))
_PASSING = frozenset({"_[_]", "_==_", "_!=_", "_&&_", "_||_", "!_"})
"""Operators that give plain data of plain data."""

_KINDS = {bool: "bool", int: "int", float: "double", str: "string"}


def call(method: str, target: Node) -> Node:
    """`target.method()`."""
    return Call(*_NOWHERE, method, target, (), Span(0, 0))


def item(target: Node, place: int) -> Node:
    """`target[place]`."""
    return Call(*_NOWHERE, "_[_]", None, (target, constant(place)), Span(0, 0))


def constant(value: bool | float | str) -> Node:
    """A literal."""
    return Literal(*_NOWHERE, _KINDS[type(value)], value)


@record
class Scope:
    """The variables around a sub-expression.

    A macro's variable is among `bound` if its value is plain data. A value such as an
    optional or a uint has no equivalent in Python: its variable is in `held`, with the
    expression that gives the value; outer macros come first.
    """

    bound: Activation
    held: tuple[tuple[str, Node], ...] = ()

    def bind(self, name: str, source: Node, value: Any) -> Scope:
        """The scope with a macro's variable, whose value is that of `source`."""
        if self.held or not _is_plain(source):
            return Scope(self.bound, (*self.held, (name, source)))
        return Scope(Activation({**self.bound.variables, name: value}))

    def closed(self, node: Node) -> Node:
        """The node with the held variables around it: `[source].map(name, node)[0]`."""
        for name, source in reversed(self.held):
            single = ListExpr(*_NOWHERE, (source,), frozenset())
            node = item(Macro(*_NOWHERE, "map", single, (name,), (node,), Span(0, 0)), 0)
        return node


def _is_plain(node: Node) -> bool:
    """Whether the value comes from variables and constants as they are in JSON."""
    return all(map(_passes_on, walk(node)))


def _passes_on(node: Node) -> bool:
    match node:
        case Literal():
            plain = node.kind not in ("uint", "bytes")
        case Ident():
            plain = node.name not in TYPES
        case Select():
            plain = not node.optional
        case Call():
            plain = node.function in _PASSING
        case Macro():
            plain = not node.name.startswith("opt")
        case ListExpr():
            plain = not node.optional
        case _:
            plain = isinstance(node, MapExpr) and not any(each.optional for each in node.entries)
    return plain
