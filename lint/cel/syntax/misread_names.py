"""Names that cannot mean a field of the object: `self.status`, and `status.phase == Ready`."""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.cel.syntax.tree import Call, Ident, ListExpr, Node, names, parents

NAMES_OF_OBJECT = frozenset({"dep", "obj", "object", "oldObject", "resource", "self", "this"})
"""Names of the object in other uses of CEL in Kubernetes; no kind has such a field."""


def has_misread_name(root: Node, free: Iterable[str]) -> bool:
    """Whether one of the free names of the expression, no variable, cannot be a field either."""
    return any(name in NAMES_OF_OBJECT or lacks_quotes(root, name) for name in free)


def lacks_quotes(root: Node, name: str) -> bool:
    """Whether a free name of the expression can only be a text that lacks its quotes.

    It begins with a capital letter, as conditions, phases, reasons and the states of a condition
    do, but no field of an object of Kubernetes does. And each use of it is compared: with
    `==` or `!=`, or as an item of the list after `in`.
    """
    if not name[:1].isupper():
        return False
    parents_of = parents(root)
    return all(
        _is_compared(node, parents_of) for free_name, node in names(root) if free_name == name
    )


def _is_compared(node: Ident, parents_of: dict[Node, Node]) -> bool:
    parent = parents_of.get(node)
    if isinstance(parent, ListExpr):
        return _is_call(parents_of.get(parent), "@in")
    return _is_call(parent, "_==_") or _is_call(parent, "_!=_")


def _is_call(node: Node | None, function: str) -> bool:
    return isinstance(node, Call) and node.function == function
