"""The variables that an expression reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.cel.check.unknown_functions import explain
from celvet.lint.cel.syntax.tree import Call, Ident, Node, Select, names, qualified, walk
from celvet.lint.cel.syntax.vocabulary import MESSAGES, TYPES, functions, is_operator, resolve

if TYPE_CHECKING:
    from celvet.lint.cel.compilation import Compiled


def variables(compiled: Compiled) -> tuple[tuple[str, Ident], ...]:
    """What the controller looks up among the variables, with its node, in source order.

    Unlike `celvet.lint.cel.syntax.tree.names`, without types (`int`), messages
    (`google.protobuf.Timestamp`) and the namespaces of functions (`sets`), of
    functions that only others have (`math`) as well.
    """
    if compiled.tree is None:
        return ()
    spaces = _namespaces(compiled.tree, compiled.dialect.libraries)
    return tuple(
        (name, ident)
        for name, ident in names(compiled.tree)
        if name not in TYPES and ident not in spaces
    )


def _namespaces(root: Node, libraries: tuple[str, ...]) -> set[Node]:
    """The identifiers that only begin the name of a function or a message."""
    known = functions(libraries)
    found: set[Node] = set()
    for node in walk(root):
        if isinstance(node, Select) and qualified(node).removeprefix(".") in MESSAGES:
            found.add(_first(node))
        elif isinstance(node, Call) and node.target and not is_operator(node.function):
            name = resolve(node, known)[0]
            if "." in name or (name not in known and "." in explain(node, known).name):
                found.add(_first(node.target))
    return found


def _first(node: Node) -> Node:
    while isinstance(node, Select):
        node = node.operand
    return node
