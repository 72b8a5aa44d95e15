"""cel-go's own limits on an expression: its length and its nesting.

The engine's limit on nesting (32) is narrower; a text that it refuses for that is
measured here. The count is a lower bound: `parser/parser.go` of cel-go 0.26.1
counts the grammar's rules, and also refuses some texts of nearly this depth.
"""

from __future__ import annotations

from celvet.lint.cel.syntax.lexer import scan
from celvet.lint.cel.syntax.refusal import Refusal, refused
from celvet.lint.cel.syntax.tree import Call, Node, Select
from celvet.lint.cel.syntax.vocabulary import is_operator
from celvet.lint.model import Span

_MAX_LENGTH = 100_000
_MAX_DEPTH = 250
_FLAT = frozenset({"_&&_", "_||_", "!_", "-_"})
"""Operators that cel-go reads without going a level deeper."""


def too_long(text: str) -> tuple[Refusal, ...]:
    """The refusal of a text with more code points than cel-go reads."""
    if len(text) <= _MAX_LENGTH:
        return ()
    reason = f"the expression has {len(text)} characters, more than {_MAX_LENGTH}"
    return (Refusal("parse", "too-long", refused(reason), Span(0, len(text))),)


def too_deep(text: str, root: Node | None) -> tuple[Refusal, ...]:
    """The refusal of a text that is nested deeper than cel-go reads."""
    if max(_nesting(text), _steps(root)) <= _MAX_DEPTH:
        return ()
    reason = f"the expression is nested more than {_MAX_DEPTH} levels deep"
    return (Refusal("parse", "too-deep", refused(reason), Span(0, len(text))),)


def _nesting(text: str) -> int:
    """The largest number of open expressions: within brackets, and after the `:` of `?:`."""
    waiting, branches = [0], [0]
    deepest = total = 0
    before = ""
    for token in scan(text):
        match token.kind:
            case "(" | "[" | "{":
                waiting.append(0)
                branches.append(0)
                total += 1
            case ")" | "]" | "}" if len(branches) > 1:
                waiting.pop()
                total -= 1 + branches.pop()
            case ",":
                total -= branches[-1]
                waiting[-1] = branches[-1] = 0
            case "?" if before not in (".", "[", "{", ","):
                waiting[-1] += 1
            case ":" if waiting[-1]:
                waiting[-1] -= 1
                branches[-1] += 1
                total += 1
        deepest, before = max(deepest, total), token.kind
    return deepest


def _steps(root: Node | None) -> int:
    """The longest way down through operators, selections and methods."""
    deepest = 0
    pending = [(root, 0)] if root else []
    while pending:
        node, depth = pending.pop()
        below = depth + _counts(node)
        deepest = max(deepest, below)
        pending += [(child, below) for child in node.children]
    return deepest


def _counts(node: Node) -> bool:
    if isinstance(node, Call) and node.target is None:
        return is_operator(node.function) and node.function not in _FLAT
    return isinstance(node, Select | Call)
