"""Turns the errors of the type checkers into refusals in our own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from celvet.lint.cel.check.free_variables import variables
from celvet.lint.cel.check.type_check import TypeIssue
from celvet.lint.cel.check.unknown_functions import explain
from celvet.lint.cel.engine.environment import EngineIssue
from celvet.lint.cel.syntax.misread_names import lacks_quotes
from celvet.lint.cel.syntax.refusal import Refusal, RefusalCause, refusal_message
from celvet.lint.cel.syntax.tree import (
    MACROS,
    Call,
    Ident,
    Macro,
    Node,
    Select,
    StructExpr,
    leftmost,
    walk,
)
from celvet.lint.cel.syntax.vocabulary import functions, is_operator, resolve, unevaluated_call
from celvet.lint.model import Span
from celvet.lint.safe_text import enumeration
from celvet.lint.similar import closest_name
from celvet.regex import regex
from celvet.schemas.dialect import Dialect

_UNFOUNDED = regex(
    r"\*error\*|applied to '\(T%\d+\)'|of type '(?:dyn'|list\(|map\(|T%).*cannot be the range"
)
"""Errors that follow from another one, or from a type that the engine inferred or does not know."""

_WELL_KNOWN = regex(r"google\.protobuf\.(Timestamp|Duration)\b")
_UNDECLARED = regex(r"undeclared reference to '([^']*)'")
_COMPLAINTS: tuple[tuple[str, RefusalCause, str], ...] = (
    (
        r"found no matching overload for 'cel\.@mapInsert' applied to '\(.*\), (?P<types>\w+)\)'",
        "no-overload",
        "`transformMapEntry` makes each entry of a map with one key, not of a `{types}`",
    ),
    (
        r"found no matching overload for '(?P<name>.*)' applied to '\((?P<types>.*)\)'",
        "no-overload",
        "`{sign}` is not defined for `{types}`",
    ),
    (
        r"expression of type '(?P<types>.*)' cannot be the operand of a select operation",
        "no-field",
        "a value of type `{types}` has no fields",
    ),
    (
        r"expression of type '(?P<types>.*)' cannot be the range of a comprehension.*",
        "type-mismatch",
        "a macro loops over a list or a map, not over a value of type `{types}`",
    ),
    (r"undefined field '(?P<name>[^']*)' .*", "no-field", "the message has no field `{name}`"),
    (
        r"expected type '(?P<name>.*)' but found '(?P<types>.*)'",
        "type-mismatch",
        "this must be of type `{name}`, and is of type `{types}`",
    ),
    (
        r"expected type of field '(?P<name>.*)' is '.*' but provided type is '(?P<types>.*)'",
        "type-mismatch",
        "the field `{name}` takes no value of type `{types}`",
    ),
)
"""The engine's message -> its cause, and our message."""

_CERTAIN = frozenset({"unknown-function", "unknown-message", "unknown-variable"})
"""Causes that hold although the engine lacks a function that the expression calls."""


class _Complaint(NamedTuple):
    cause: RefusalCause
    reason: str
    hint: str = ""
    name: str = ""


def checker_refusals(
    root: Node, issues: Sequence[EngineIssue], dialect: Dialect
) -> tuple[Refusal, ...]:
    """Why the type checker refuses the tree, without errors that follow from others.

    Empty if the errors are the engine's mistake.
    """
    genuine_issues = [issue for issue in issues if not _UNFOUNDED.search(issue.message)]
    refusals = {_explain_issue(root, issue, dialect) for issue in genuine_issues}
    implied_names = set().union(
        *(_implied_names(_node(root, issue.offset), dialect) for issue in genuine_issues)
    )
    if unevaluated_call(root, dialect.libraries):
        # Its type in the engine means nothing, and the controller does not know the variables of
        # its macro.
        free_names = {name for name, _ in variables(root, dialect.libraries)}
        implied_names |= {refusal.name for refusal in refusals} - free_names
        refusals = {refusal for refusal in refusals if refusal.cause in _CERTAIN}
    genuine_refusals = [
        refusal
        for refusal in refusals
        if refusal.cause != "unknown-variable" or refusal.name not in implied_names
    ]
    return tuple(sorted(genuine_refusals, key=lambda refusal: refusal.span))


def _implied_names(node: Node, dialect: Dialect) -> set[str]:
    """Names that are unknown only because this call is unknown.

    `math` of `math.abs(1)`, and `i` and `v` of `list.exists(i, v, ...)`.
    """
    if not isinstance(node, Call) or is_operator(node.function):
        return set()
    macro_args = node.args[:-1] if node.function in MACROS else ()
    has_namespace = node.target and "." in explain(node, functions(dialect.libraries)).name
    namespaces = [leftmost(node.target)] if node.target and has_namespace else []
    return {arg.name for arg in (*macro_args, *namespaces) if isinstance(arg, Ident)}


def review_refusals(root: Node, issues: Sequence[TypeIssue]) -> tuple[Refusal, ...]:
    """The refusals that only cel-go's type checker reports."""
    return tuple(_review_refusal(_node(root, issue.offset), issue) for issue in issues)


def _review_refusal(node: Node, issue: TypeIssue) -> Refusal:
    if isinstance(node, Macro) and node.name == "has":
        node = node.args[0]
    place = node.span if issue.spans_expression else _at(node)
    return Refusal(issue.stage, issue.cause, refusal_message(issue.reason), place)


def _node(root: Node, offset: int) -> Node:
    """The innermost node that covers the place; the engine puts a node at its sign."""
    covering = [node for node in walk(root) if node.span.start <= offset < node.span.end]
    return min(covering, key=lambda node: node.span.end - node.span.start, default=root)


def _at(node: Node) -> Span:
    """The range to underline for a node: its name or sign if it has one."""
    return node.at if isinstance(node, Call | Macro | Select | StructExpr) else node.span


def _explain_issue(root: Node, issue: EngineIssue, dialect: Dialect) -> Refusal:
    node = _node(root, issue.offset)
    match = _UNDECLARED.match(issue.message)
    complaint = (
        _undeclared_name(root, node, match[1], dialect) if match else _type_error(issue.message)
    )
    place = leftmost(node).span if complaint.cause == "unknown-variable" else _at(node)
    return Refusal(
        "check",
        complaint.cause,
        refusal_message(complaint.reason),
        place,
        complaint.hint,
        complaint.name,
    )


def _undeclared_name(root: Node, node: Node, name: str, dialect: Dialect) -> _Complaint:
    if isinstance(node, Call):
        known_functions = functions(dialect.libraries)
        function_name, args = resolve(node, known_functions)
        if function_name in known_functions:
            reason = (
                f"`{function_name}` does not take {len(args)} arguments (the target counts as one)"
            )
            return _Complaint("no-overload", reason, name=function_name)
        function, reason, hint = explain(node, known_functions)
        return _Complaint("unknown-function", reason, hint, function)
    if isinstance(node, StructExpr):
        return _Complaint("unknown-message", f"the controller has no message `{name}`", name=name)
    # Of `a.b.c` the engine reports the whole name, but only `a` is a variable.
    variable = name.removeprefix(".").partition(".")[0]
    names = [*dialect.variables]
    if lacks_quotes(root, variable):
        hint = f"write `'{variable}'`, in quotes"
    elif similar_name := closest_name(variable, names):
        hint = f"write `{similar_name}`"
    else:
        hint = f"begin with {enumeration(names, 'or')}"
    reason = f"there is no variable `{variable}` here, only {enumeration(names, 'and')}"
    return _Complaint("unknown-variable", reason, hint, variable)


def _type_error(message: str) -> _Complaint:
    for pattern, cause, words in _COMPLAINTS:
        if match := re.fullmatch(pattern, message):
            groups = match.groupdict(default="")
            name = groups.get("name", "")
            sign = name.strip("_@").replace("_", " ") if is_operator(name) else name
            types = re.sub(r"T%\d+", "dyn", groups.get("types", "").replace("null_type", "null"))
            types = _WELL_KNOWN.sub(lambda kind: kind[1].lower(), types)
            return _Complaint(cause, words.format(name=name, types=types, sign=sign), name=name)
    return _Complaint("type-mismatch", message)
