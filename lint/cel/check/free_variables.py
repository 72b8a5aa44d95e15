"""The variables that an expression reads."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.check.unknown_functions import explain
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    Node,
    Select,
    dotted_path,
    leftmost,
    names,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import MESSAGES, TYPES, functions, is_operator, resolve


def variables(root: Node, libraries: tuple[str, ...]) -> tuple[tuple[str, Ident], ...]:
    """The names that the controller looks up as variables, with their nodes, in source order.

    Unlike `celvet.lint.cel.syntax.tree.names`, this leaves out types (`int`), messages
    (`google.protobuf.Timestamp`), namespaces of functions (`sets`, and `math` even if the
    controller lacks that library), and the variables of macros that only the controller can expand
    (`cel.bind`).
    """
    no_variables = {*_namespaces(root, libraries), *_macro_variables(root, libraries)}
    return tuple(
        (name, ident)
        for name, ident in names(root)
        if name not in TYPES and ident not in no_variables
    )


def _namespaces(root: Node, libraries: tuple[str, ...]) -> Iterator[Node]:
    """The identifiers that only begin the name of a function or a message."""
    known_functions = functions(libraries)
    for node in walk(root):
        if isinstance(node, Select) and dotted_path(node).removeprefix(".") in MESSAGES:
            yield leftmost(node)
        elif isinstance(node, Call) and node.target and not is_operator(node.function):
            name = resolve(node, known_functions)[0]
            if "." in name or (
                name not in known_functions and "." in explain(node, known_functions).name
            ):
                yield leftmost(node.target)


def _macro_variables(root: Node, libraries: tuple[str, ...]) -> Iterator[Node]:
    """The variables of macros that our parser reads as calls: where they are bound and used."""
    known_functions = functions(libraries)
    if not any(function.binds for function in known_functions.values()):
        return
    for node in walk(root):
        if not isinstance(node, Call) or is_operator(node.function):
            continue
        function = known_functions.get(resolve(node, known_functions)[0])
        if function and function.binds:
            bound_names = {
                arg.name for arg in node.args[: function.binds] if isinstance(arg, Ident)
            }
            uses = (use for arg in node.args for use in names(arg))
            yield from (ident for name, ident in uses if name in bound_names)
