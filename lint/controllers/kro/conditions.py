"""Conditions of an instance: `runtime.newCondition({type: ..., status: ...})`.

Mirrors `newConditionMacro` of kro (0302e659, `pkg/cel/library/runtime.go`), whose keys are words.
"""

from __future__ import annotations

from celvet.lint.cel.syntax.lexer import Unparsable
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Call, Ident, MapExpr, Node, walk
from celvet.lint.model import Span
from celvet.lint.safe_text import enumeration

_REQUIRED = ("type", "status")
_KEYS = (*_REQUIRED, "reason", "message")


def condition_problem(text: str) -> tuple[str, Span] | None:
    """Why kro's parser refuses a call of `runtime.newCondition`, and where; None if it does not."""
    try:
        root = parse(text)
    except Unparsable:
        return None
    calls = (node for node in walk(root) if isinstance(node, Call) and _is_macro(node))
    return next((problem for call in calls if (problem := _problem(call.args[0]))), None)


def _is_macro(call: Call) -> bool:
    is_of_runtime = isinstance(call.target, Ident) and call.target.name == "runtime"
    return call.function == "newCondition" and is_of_runtime and len(call.args) == 1


def _problem(argument: Node) -> tuple[str, Span] | None:
    name = "`runtime.newCondition`"
    if not isinstance(argument, MapExpr):
        return f"{name} needs a map in braces", argument.span
    keys: list[str] = []
    for entry in argument.entries:
        key = entry.key
        if not isinstance(key, Node):
            continue
        if not isinstance(key, Ident):
            return f"the keys of {name} are words without quotes", key.span
        if key.name not in _KEYS:
            words = f"{name} has no key `{key.name}`, only {enumeration(_KEYS, 'and')}"
            return words, key.span
        if key.name in keys:
            return f"{name} has the key `{key.name}` twice", key.span
        keys.append(key.name)
    missing = next((key for key in _REQUIRED if key not in keys), "")
    return (f"{name} needs the key `{missing}`", argument.span) if missing else None
