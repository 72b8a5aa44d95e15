"""Conditions of an instance: `runtime.newCondition({type: ..., status: ...})`.

Mirrors `newConditionMacro` of kro (0302e659, `pkg/cel/library/runtime.go`), whose keys are words,
and `validateConditionExpressions` (`pkg/graph/conditions.go`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from celvet.lint.cel.syntax.lexer import Unparsable
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Call, Ident, Literal, MapExpr, Node, walk
from celvet.lint.controllers.kro.graph import SCHEMA
from celvet.lint.model import Span
from celvet.lint.safe_text import enumeration

RUNTIME = "runtime"
_REQUIRED = ("type", "status")
_KEYS = (*_REQUIRED, "reason", "message")
_STATUSES = ("True", "False", "Unknown")
_BUILT_IN = ("InstanceManaged", "GraphResolved", "ResourcesReady", "Ready")
_NAME = "`runtime.newCondition`"

Problem = tuple[str, Span]
"""Why kro refuses a condition, and the part of its text."""


class ConditionTypes:
    """The conditions of a definition, one after another, with the types that they make."""

    def __init__(self) -> None:
        self._types: set[str] = set()

    def problems(self, text: str) -> Iterator[Problem]:
        """Why kro refuses a condition, the first reason first."""
        calls = _calls(text)
        for call in calls["newCondition"]:
            yield from _argument_problems(call.args[0])
        own_types: dict[str, Span] = {}
        for call in calls["newCondition"]:
            for key, value in _literals(call.args[0]):
                if key == "status" and value.value not in _STATUSES:
                    words = f"the status of a condition is {enumeration(_STATUSES, 'or')}"
                    yield words, value.span
                elif key == "type" and not value.value:
                    yield "the type of a condition is not empty", value.span
                elif key == "type":
                    own_types[str(value.value)] = value.span
        for name, span in own_types.items():
            if name in self._types:
                yield f"another condition has the type `{name}` as well", span
        self._types.update(own_types)
        for call in calls["condition"]:
            yield from self._lookup_problems(call)

    def _lookup_problems(self, call: Call) -> Iterator[Problem]:
        """Of the instance itself, only the conditions of kro can be read."""
        of, name = call.args
        is_own = isinstance(of, Ident) and of.name == SCHEMA
        if is_own and isinstance(name, Literal) and name.kind == "string":
            if name.value in self._types:
                yield "a condition cannot read another one of the definition", name.span
            elif name.value not in _BUILT_IN:
                words = f"of `schema`, only {enumeration(_BUILT_IN, 'and')} can be read"
                yield words, name.span


def condition_text(text: str) -> tuple[str, Callable[[int], int]]:
    """A condition with texts for keys, as the macro makes it, and the place in it of a place."""
    ends: list[int] = []
    for call in _calls(text)["newCondition"]:
        argument = call.args[0]
        for entry in argument.entries if isinstance(argument, MapExpr) else ():
            if isinstance(entry.key, Ident):
                ends += [entry.key.span.start, entry.key.span.end]
    pieces, start = [], 0
    for end in sorted(ends):
        pieces.append(text[start:end])
        start = end

    def place(index: int) -> int:
        return index - sum(end + order < index for order, end in enumerate(sorted(ends)))

    return "'".join([*pieces, text[start:]]), place


def _calls(text: str) -> dict[str, list[Call]]:
    """The calls of `runtime` in a condition, by their functions; none if it is no expression."""
    calls: dict[str, list[Call]] = {"newCondition": [], "condition": []}
    try:
        nodes = [*walk(parse(text))]
    except Unparsable:
        return calls
    sizes = {"newCondition": 1, "condition": 2}
    for node in nodes:
        if isinstance(node, Call) and isinstance(node.target, Ident):
            is_called = node.target.name == RUNTIME and sizes.get(node.function) == len(node.args)
            if is_called:
                calls[node.function].append(node)
    return calls


def _literals(argument: Node) -> Iterator[tuple[str, Literal]]:
    for entry in argument.entries if isinstance(argument, MapExpr) else ():
        value = entry.value
        if isinstance(entry.key, Ident) and isinstance(value, Literal) and value.kind == "string":
            yield entry.key.name, value


def _argument_problems(argument: Node) -> Iterator[Problem]:
    if not isinstance(argument, MapExpr):
        yield f"{_NAME} needs a map in braces", argument.span
        return
    keys: list[str] = []
    for entry in argument.entries:
        key = entry.key
        if not isinstance(key, Node):
            continue
        if not isinstance(key, Ident):
            yield f"the keys of {_NAME} are words without quotes", key.span
        elif key.name not in _KEYS:
            yield f"{_NAME} has no key `{key.name}`, only {enumeration(_KEYS, 'and')}", key.span
        elif key.name in keys:
            yield f"{_NAME} has the key `{key.name}` twice", key.span
        keys.append(key.name if isinstance(key, Ident) else "")
    missing = next((key for key in _REQUIRED if key not in keys), "")
    if missing:
        yield f"{_NAME} needs the key `{missing}`", argument.span
