"""Comparisons that no value satisfies, whatever the object holds: of case, and of types."""

from __future__ import annotations

import string
from collections.abc import Mapping

from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Macro, Node
from celvet.lint.cel.syntax.vocabulary import COMPARISONS
from celvet.lint.predict.faults.diagnosis import OddValue
from celvet.lint.predict.reads.reader import MATCHING
from celvet.lint.predict.reads.terms import short

_LACKING: Mapping[str, tuple[str, str]] = {
    "lowerAscii": (string.ascii_uppercase, "upper-case"),
    "upperAscii": (string.ascii_lowercase, "lower-case"),
}
"""Function -> the letters that its result never has, and words for them."""

_LITERALS = {
    "string": "a text",
    "bytes": "bytes",
    "null": "null",
    **dict.fromkeys(("int", "uint", "double"), "a number"),
}
_BOOLEANS = MATCHING | {*COMPARISONS, "!_", "_&&_", "_||_", "@in"}
_BOOLEANS |= {"all", "exists", "exists_one", "has"}


def find_unequal(node: Node, text: str) -> OddValue | None:
    """The comparison because of which an expression is never true; None if it may be true.

    `text` is that of the whole expression.
    """
    if isinstance(node, Macro) and node.name in ("exists", "exists_one") and len(node.args) == 1:
        return find_unequal(node.args[0], text)
    if not isinstance(node, Call):
        return None
    # One operand of `&&` is enough, but all of `||` have to be never true.
    if node.function == "_&&_":
        operands = (find_unequal(arg, text) for arg in node.args)
        return next((value for value in operands if value), None)
    if node.function == "_||_":
        return _first_of_all([find_unequal(arg, text) for arg in node.args])
    return _odd_operand(node, text)


def _odd_operand(node: Call, text: str) -> OddValue | None:
    if node.function == "_==_":
        left_side, right_side = node.args
        return _odd_literal(left_side, right_side, text) or _odd_literal(
            right_side, left_side, text
        )
    if node.function == "@in" and isinstance(node.args[1], ListExpr):
        elements = node.args[1].elements
        return _first_of_all([_odd_literal(node.args[0], element, text) for element in elements])
    if node.function in MATCHING - {"matches"} and node.target and len(node.args) == 1:
        return _miscased(node.target, node.args[0], text)
    return None


def _first_of_all(values: list[OddValue | None]) -> OddValue | None:
    """The first of these, if none is missing."""
    return values[0] if values and all(values) else None


def _odd_literal(node: Node, literal: Node, text: str) -> OddValue | None:
    return _miscased(node, literal, text) or _mistyped(node, literal, text)


def _miscased(node: Node, other: Node, text: str) -> OddValue | None:
    """A text in one case, and a literal with a letter of the other."""
    while isinstance(node, Call) and node.function == "trim" and node.target:
        node = node.target
    if not (isinstance(node, Call) and node.function in _LACKING and node.target):
        return None
    letters, words = _LACKING[node.function]
    if isinstance(other, Literal) and isinstance(other.value, str) and {*other.value} & {*letters}:
        literal = short(text[slice(*other.span)])
        reason = f"`{node.function}()` gives no {words} letter, as `{literal}` has"
        return OddValue("case", reason)
    return None


def _mistyped(node: Node, literal: Node, text: str) -> OddValue | None:
    """A test, and a literal that is no boolean."""
    if not isinstance(node, Call | Macro) or _name(node) not in _BOOLEANS:
        return None
    if isinstance(literal, Literal) and literal.kind in _LITERALS:
        name, sort = text[slice(*node.at)], _LITERALS[literal.kind]
        return OddValue("boolean", f"`{name}` gives `true` or `false`, never {sort}")
    return None


def _name(node: Call | Macro) -> str:
    return node.function if isinstance(node, Call) else node.name
