"""The meaning of a part of an expression: a place in the object, a constant, a selection of a list.

It is used twice. With variables bound to any element of a list, it says what an expression reads.
With variables bound to one element of an object under construction, it says where to put a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Literal,
    Macro,
    Node,
    Select,
    dotted_path,
)
from celvet.lint.model import Path, Value
from celvet.record import field, record

Steps: TypeAlias = tuple["str | int | FirstMatch | None", ...]
"""Keys and indices from the variables down; None is any element of a list."""

_CONVERSIONS = frozenset(
    {"base64.decode", "double", "dyn", "int", "lowerAscii", "string", "trim", "uint", "upperAscii"}
)


@record
class Test:
    """A condition on an element, which its variable stands for."""

    variable: str
    body: Node
    names: TermsByName = field(repr=False)


@record
class FirstMatch:
    """The first element that passes the tests."""

    tests: tuple[Test, ...]


@record
class At:
    """The value at a place after conversions, the innermost first."""

    path: Steps
    through: tuple[str, ...] = ()


@record
class Constant:
    """A literal of an expression, with its value."""

    value: Value


@record
class ElementSelection:
    """The elements of the list at a path that pass the tests; `view` is the used part of each."""

    path: Steps
    tests: tuple[Test, ...] = ()
    view: Test | None = None


@record
class Size:
    """The size of a text, a list or a selection."""

    operand: At | ElementSelection


@record
class Otherwise:
    """A place, with another value if it is empty."""

    at: At
    default: Term


@record
class Opaque:
    """A part of an expression that is not followed."""


Term: TypeAlias = "At | Constant | ElementSelection | Size | Otherwise | Opaque"
TermsByName: TypeAlias = Mapping[str, Term]

OPAQUE = Opaque()
_LONGEST = 80


def term(node: Node, names: TermsByName) -> Term:
    """The meaning of a node; `names` are the variables of the macros around it."""
    if isinstance(node, Literal):
        return Constant(node.value)
    if isinstance(node, Ident):
        return names.get(node.name) or At((node.name.removeprefix("."),))
    if isinstance(node, Select):
        return _below(term(node.operand, names), node.field)
    if isinstance(node, ListExpr):
        return _list(node, names)
    if isinstance(node, Macro):
        return _selection(node, names)
    return _call(node, names) if isinstance(node, Call) else OPAQUE


def selection(node: Node | None, names: TermsByName) -> ElementSelection | None:
    """The list that a macro iterates over, None if it is not followed."""
    source = term(node, names) if node else OPAQUE
    if isinstance(source, At) and not source.through:
        return ElementSelection(source.path)
    return source if isinstance(source, ElementSelection) else None


def _below(operand: Term, step: str | int) -> Term:
    if isinstance(operand, At) and not operand.through:
        return At((*operand.path, step))
    if isinstance(operand, ElementSelection) and step == 0 and operand.view is None:
        return At((*operand.path, FirstMatch(operand.tests)))
    return OPAQUE


def _list(node: ListExpr, names: TermsByName) -> Term:
    items = [term(element, names) for element in node.elements]
    values = [item.value for item in items if isinstance(item, Constant)]
    return Constant(values) if len(values) == len(items) else OPAQUE


def _selection(node: Macro, names: TermsByName) -> Term:
    source = selection(node.target, names)
    if source is None or node.name not in ("filter", "map") or len(node.variables) != 1:
        return OPAQUE
    *conditions, final_test = (Test(node.variables[0], body, names) for body in node.args)
    if source.view is not None:
        return OPAQUE
    if node.name == "filter":
        return ElementSelection(source.path, (*source.tests, final_test))
    return ElementSelection(source.path, (*source.tests, *conditions), final_test)


def _call(node: Call, names: TermsByName) -> Term:
    """The meaning of a call: an index, a size, a default or a conversion."""
    operands = node.children
    name = node.function
    if node.target is not None and dotted_path(node.target) == "base64":
        name, operands = f"base64.{name}", node.args
    # An index that is computed may name any element.
    if name in ("_[_]", "_[?_]") and len(operands) == 2:
        index = term(operands[1], names)
        is_literal = isinstance(index, Constant) and type(index.value) in (int, str)
        return _below(term(operands[0], names), index.value) if is_literal else OPAQUE  # type: ignore[union-attr]
    operand = term(operands[0], names) if operands else OPAQUE
    if name == "size" and isinstance(operand, At | ElementSelection):
        return Size(operand)
    if name == "orValue" and isinstance(operand, At) and len(operands) == 2:
        return Otherwise(operand, term(operands[1], names))
    if name in _CONVERSIONS and isinstance(operand, At) and len(operands) == 1:
        return At(operand.path, (*operand.through, name))
    return OPAQUE


def without_indices(path: Steps) -> Steps:
    """The path with None, which is any element, in place of each index."""
    return tuple(step if isinstance(step, str) else None for step in path)


def path_text(path: Steps) -> str:
    """The path in the usual notation; any element of a list becomes the first."""
    text = ""
    for step in path:
        text += f".{step}" if isinstance(step, str) else "[0]"
    return short(text.removeprefix("."))


def short(text: str) -> str:
    """A user's text, as messages quote it."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def at_first_elements(path: Steps) -> Path:
    """The path with the first element in place of any element."""
    return tuple(step if isinstance(step, str | int) else 0 for step in path)
