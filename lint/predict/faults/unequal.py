"""Comparisons that no value satisfies, whatever the object holds: of case, and of types."""

from __future__ import annotations

import string
from collections.abc import Mapping

from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Macro, Node
from celvet.lint.cel.syntax.vocabulary import COMPARISONS
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


def unequal(node: Node, text: str) -> tuple[str, str] | None:
    """Why an expression is never true, as a variant of the fault and words; None if it may be.

    `text` is that of the whole expression.
    """
    if isinstance(node, Macro) and node.name in ("exists", "exists_one") and len(node.args) == 1:
        return unequal(node.args[0], text)
    if not isinstance(node, Call):
        return None
    if node.function == "_&&_":
        return next((found for arg in node.args if (found := unequal(arg, text))), None)
    if node.function == "_||_":
        return _all([unequal(arg, text) for arg in node.args])
    return _operation(node, text)


def _operation(node: Call, text: str) -> tuple[str, str] | None:
    if node.function == "_==_":
        left, right = node.args
        return _compared(left, right, text) or _compared(right, left, text)
    if node.function == "@in" and isinstance(node.args[1], ListExpr):
        return _all([_compared(node.args[0], each, text) for each in node.args[1].elements])
    if node.function in MATCHING - {"matches"} and node.target and len(node.args) == 1:
        return _miscased(node.target, node.args[0], text)
    return None


def _all(found: list[tuple[str, str] | None]) -> tuple[str, str] | None:
    """The first of these, if none is missing."""
    return found[0] if found and all(found) else None


def _compared(node: Node, other: Node, text: str) -> tuple[str, str] | None:
    return _miscased(node, other, text) or _mistyped(node, other, text)


def _miscased(node: Node, other: Node, text: str) -> tuple[str, str] | None:
    """A text in one case, and a literal with a letter of the other."""
    while isinstance(node, Call) and node.function == "trim" and node.target:
        node = node.target
    if not (isinstance(node, Call) and node.function in _LACKING and node.target):
        return None
    letters, words = _LACKING[node.function]
    if isinstance(other, Literal) and isinstance(other.value, str) and {*other.value} & {*letters}:
        written = short(text[slice(*other.span)])
        return "case", f"`{node.function}()` gives no {words} letter, as `{written}` has"
    return None


def _mistyped(node: Node, other: Node, text: str) -> tuple[str, str] | None:
    """A test, and a literal that is no boolean."""
    if not isinstance(node, Call | Macro) or _name(node) not in _BOOLEANS:
        return None
    if isinstance(other, Literal) and other.kind in _LITERALS:
        # the name or the sign alone: all of the test may have stand-ins that must stay whole
        name, sort = text[slice(*node.at)], _LITERALS[other.kind]
        return "boolean", f"`{name}` gives `true` or `false`, never {sort}"
    return None


def _name(node: Call | Macro) -> str:
    return node.function if isinstance(node, Call) else node.name
