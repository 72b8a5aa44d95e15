"""Syntax errors: the engine's errors in our own words, and cel-go's limits.

The engine's limit on nesting (32) is lower than cel-go's, so the nesting of a text beyond it is
counted here. The count is a lower bound: `parser/parser.go` of cel-go 0.26.1 counts the grammar's
rules, and also refuses some texts of nearly this depth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from celvet.lint.cel.syntax.lexer import Token, scan
from celvet.lint.cel.syntax.refusal import Refusal, refusal_message
from celvet.lint.cel.syntax.tree import Call, Node, Select
from celvet.lint.cel.syntax.vocabulary import is_operator
from celvet.lint.model import Span
from celvet.regex import regex
from celvet.schemas.cel_go import has

if TYPE_CHECKING:
    from celvet.lint.cel.engine.environment import EngineIssue

_RESERVED = {
    "else": "write `condition ? value : other`",
    "for": "write a macro: `.exists(x, ...)` or `.all(x, ...)`",
    "if": "write `condition ? value : other`",
}

_NO_FIELD = "test a field, such as `has(status.conditions)`: a name alone cannot be tested"
_NO_OPTIONAL = "test with `has(x.field)` whether the field is there"
_OPTIONAL_SYNTAX = regex(r"[.\[]?\?")
_MESSAGE = regex(r"\w+(?:\s*\.\s*\w+)*[\s$#@]*\{")
_NUMBER = regex(r"-?\s*[0-9.]")
_MAX_LENGTH = 100_000
_MAX_DEPTH = 250
_FLAT = frozenset({"_&&_", "_||_", "!_", "-_"})
"""Operators that cel-go reads without going a level deeper."""


def parser_refusals(
    text: str, issues: Sequence[EngineIssue], cel_go: str = ""
) -> tuple[Refusal, ...]:
    """The syntax errors of `text`, in source order.

    Only the first error is reported, since the parser's recovery causes others. What the engine
    accepts counts if it comes before that error: a double out of range, which the engine reads as
    infinite, and a field in backticks, which older releases of cel-go refuse.
    """
    issues = [_with_go_offset(text, issue) for issue in issues if not _is_echo(text, issue)]
    syntax_offsets = [issue.offset for issue in issues if not _about_macro(issue)]
    first_offset = min(syntax_offsets, default=len(text))
    refusals = [_refusal(text, issue) for issue in issues if issue.offset <= first_offset]
    for token in scan(text[:first_offset]):
        if token.kind == "float" and math.isinf(float(token.text)):
            refusals.append(_out_of_range(token.text, Span(token.start, token.end)))
        elif token.kind == "quoted" and not has(cel_go, "quoted-field"):
            refusals.append(_backtick(token))
    refusals.sort(key=lambda refusal: refusal.span)
    return tuple(refusals[:1] if syntax_offsets else refusals)


def _out_of_range(token: str, span: Span) -> Refusal:
    return Refusal(
        "parse", "syntax", refusal_message(f"`{token}` is out of the range of its type"), span
    )


def _with_go_offset(text: str, issue: EngineIssue) -> EngineIssue:
    """The error at the place where cel-go reports it: the brace of a message, not its name."""
    if _about_macro(issue) and (message := _MESSAGE.match(text, issue.offset)):
        return issue._replace(offset=message.end() - 1)
    return issue


def _is_echo(text: str, issue: EngineIssue) -> bool:
    """Whether this error only follows from a syntax error that left the engine without a number."""
    return issue.message.startswith("invalid ") and not _NUMBER.match(text, issue.offset)


def _about_macro(issue: EngineIssue) -> bool:
    return "() argument must be" in issue.message or "() variable name" in issue.message


def _backtick(token: Token) -> Refusal:
    field = token.text[1:-1]
    reason = f"the controller's CEL has no fields in backticks ({token.text})"
    hint = f"write `['{field}']` instead of the dot and the backticks"
    return Refusal(
        "parse", "backtick", refusal_message(reason), Span(token.start, token.end), hint, field
    )


def _refusal(text: str, issue: EngineIssue) -> Refusal:
    offset, message = issue
    token = next(token for token in scan(text) if token.end > offset or token.kind == "end")
    span = Span(offset, max(offset, token.end))
    source = text[offset : token.end]
    # Mistakes in the use of a macro, which need no guess.
    if "has() argument must be" in message:
        reason = "`has` tests a field, and this is not one"
        hint = _NO_FIELD if token.kind == "ident" else "write `has(x.field)`"
        return Refusal("check", "has-argument", refusal_message(reason), span, hint, "has")
    if "() variable name" in message:
        macro = message.partition("(")[0]
        reason = f"the first argument of `{macro}` must be a plain name"
        hint = f"write `.{macro}(x, ...)`"
        return Refusal("check", "macro-argument", refusal_message(reason), span, hint, macro)
    if message.startswith("invalid "):
        return _out_of_range(source, span)
    name = ""
    # Syntax errors: some messages say what is wrong, the others need a guess.
    if message.startswith("reserved identifier"):
        reason, hint, name = (
            f"`{source}` is a reserved word of CEL",
            _RESERVED.get(source, ""),
            source,
        )
    elif message.startswith("Invalid "):
        reason, hint = "the string has an escape that is not a character", ""
    elif message.startswith("unsupported syntax") and (
        sign := _OPTIONAL_SYNTAX.search(text, offset)
    ):
        reason = f"`{sign.group()}` needs optional values, which the controller's CEL lacks"
        hint, span = _NO_OPTIONAL, Span(*sign.span())
    else:
        from celvet.lint.cel.check.typo_hints import recognise

        reason, hint = recognise(text, offset)
    return Refusal("parse", "syntax", refusal_message(reason), span, hint, name)


def too_long(text: str) -> tuple[Refusal, ...]:
    """The refusal of a text with more code points than cel-go reads."""
    if len(text) <= _MAX_LENGTH:
        return ()
    reason = f"the expression has {len(text)} characters, more than {_MAX_LENGTH}"
    return (Refusal("parse", "too-long", refusal_message(reason), Span(0, len(text))),)


def too_deep(text: str, root: Node | None) -> tuple[Refusal, ...]:
    """The refusal of a text that is nested deeper than cel-go reads."""
    if max(_nesting(text), _steps(root)) <= _MAX_DEPTH:
        return ()
    reason = f"the expression is nested more than {_MAX_DEPTH} levels deep"
    return (Refusal("parse", "too-deep", refusal_message(reason), Span(0, len(text))),)


def _nesting(text: str) -> int:
    """The largest number of open expressions: within brackets, and after the `:` of `?:`."""
    open_conditions, branches = [0], [0]
    # A branch after the `:` ends with its bracket, or at the next comma.
    deepest = total = 0
    previous_kind = ""
    for token in scan(text):
        match token.kind:
            case "(" | "[" | "{":
                open_conditions.append(0)
                branches.append(0)
                total += 1
            case ")" | "]" | "}" if len(branches) > 1:
                open_conditions.pop()
                total -= 1 + branches.pop()
            case ",":
                total -= branches[-1]
                open_conditions[-1] = branches[-1] = 0
            # Else it is an optional selection or element.
            case "?" if previous_kind not in (".", "[", "{", ","):
                open_conditions[-1] += 1
            # The grammar nests only the part after the colon; without a condition, it separates key
            # and value.
            case ":" if open_conditions[-1]:
                open_conditions[-1] -= 1
                branches[-1] += 1
                total += 1
        deepest, previous_kind = max(deepest, total), token.kind
    return deepest


def _steps(root: Node | None) -> int:
    """The longest path through operators, selections and methods."""
    deepest = 0
    pending = [(root, 0)] if root else []
    while pending:
        node, depth = pending.pop()
        below = depth + _adds_level(node)
        deepest = max(deepest, below)
        pending += [(child, below) for child in node.children]
    return deepest


def _adds_level(node: Node) -> bool:
    if isinstance(node, Call) and node.target is None:
        return is_operator(node.function) and node.function not in _FLAT
    return isinstance(node, Select | Call)
