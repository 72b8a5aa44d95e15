"""Explains an evaluation error: what is missing, what is there instead, and what to write."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Macro, Node, Select
from celvet.lint.cel.trace.trace import Trace, TraceStep
from celvet.lint.model import Span, Value
from celvet.lint.similar import similar
from celvet.record import record

_INDEX = ("_[_]", "_[?_]")
_DEFAULTS = {"string": "''", "int": "0", "uint": "0u", "double": "0.0", "bool": "false"}
_SHOWN = 8
"""The most keys that a message lists."""


@record
class ErrorExplanation:
    """An evaluation error, explained so that a user can act on it.

    `error` is the controller's own text and `span` the sub-expression that fails. `path` is the
    value that it failed on, with the elements that the macros had reached: `status.conditions[1]`.
    `available` are the existing keys, `similar` is the one most like the missing key. `test` is an
    expression that is true if the error does not occur, `instead` is a replacement for `replaces`
    that always gives a value; each may be empty.
    """

    error: str
    message: str
    span: Span
    path: str = ""
    available: tuple[str, ...] = ()
    similar: str = ""
    test: str = ""
    instead: str = ""
    replaces: Span | None = None


def explain_error(trace: Trace, variables: Mapping[str, Value]) -> ErrorExplanation | None:
    """Why the evaluation failed on these variables; None if it did not fail, or was over budget."""
    if not trace.outcome.error or not trace.outcome.analysed:
        return None
    return _Explainer(trace, variables).explain()


class _Explainer:
    def __init__(self, trace: Trace, variables: Mapping[str, Value]) -> None:
        self._trace = trace
        self._variables = variables
        self._chain = trace.deciding()
        self._leaf = self._chain[-1]
        self._elements: dict[str, str] = {}
        self._bind_elements()

    def explain(self) -> ErrorExplanation:
        node, parts = self._leaf.node, self._leaf.parts
        match node:
            case Ident():
                return self._name(node)
            case Select() if parts:
                return self._field(node, parts[0])
            case Call() if node.function in _INDEX and len(parts) == 2:
                return self._element(node, *parts)
            case Macro() if parts:
                return self._loop(node, parts[0])
        return self._operation()

    def _name(self, node: Ident) -> ErrorExplanation:
        name = node.name.removeprefix(".")
        keys = tuple(self._variables)
        lasts = "an expression cannot test for one, so the error lasts until it exists"
        message = f"there is no top-level field `{name}`; {_listed(keys)}; {lasts}"
        return self._explanation(message, "", keys, similar(name, keys))

    def _field(self, node: Select, operand: TraceStep) -> ErrorExplanation:
        path, held = self._path(node.operand), operand.outcome.value
        test = f"has({self._source(node)})"
        tail = f"{self._before(node).removesuffix('?').removesuffix('.')}.?{node.field}"
        if not isinstance(held, Mapping):
            message = f"`{path}` is {_kind(held)}, which has no field `{node.field}`"
            if isinstance(held, list):  # `has(...)` and `.?` fail on a list as well
                return self._explanation(f"{message}; use `exists` to test its elements", path)
            return self._explanation(message, path, test=test, tail=tail)
        keys = tuple(map(str, held))
        message = f"`{path}` has no field `{node.field}`; {_listed(keys)}"
        return self._explanation(message, path, keys, similar(node.field, keys), test, tail)

    def _element(self, node: Call, held: TraceStep, index: TraceStep) -> ErrorExplanation:
        path, value, key = self._path(node.args[0]), held.outcome.value, index.outcome.value
        source, written = self._before(node), self._source(node.args[1])
        tail = f"{source}[?{written}]"
        if isinstance(value, list) and isinstance(key, int):
            count = f"{len(value)} element{'' if len(value) == 1 else 's'}"
            message = f"`{path}` has {count} and none at index {key}"
            return self._explanation(message, path, test=f"size({source}) > {written}", tail=tail)
        if isinstance(value, Mapping):
            keys = tuple(map(str, value))
            message = f"`{path}` has no key `{key}`; {_listed(keys)}"
            close = similar(str(key), keys)
            return self._explanation(message, path, keys, close, f"{written} in {source}", tail)
        message = f"`{path}` is {_kind(value)}, which has no element {key!r}"
        advice = "; use `exists` to test its elements" if isinstance(value, list) else ""
        return self._explanation(message + advice, path)

    def _loop(self, node: Macro, target: TraceStep) -> ErrorExplanation:
        path = self._path(node.target) if node.target else ""
        value = target.outcome.value
        if node.target is None or isinstance(value, list | Mapping):
            return self._operation()
        message = f"`{path}` is {_kind(value)}, and `{node.name}` needs a list"
        return self._explanation(message, path, test=f"type({self._source(node.target)}) == list")

    def _operation(self) -> ErrorExplanation:
        shown = self._source(self._leaf.node)
        kinds = [_kind(part.outcome.value) for part in self._leaf.parts]
        operands = f", of {' and '.join(kinds)}" if kinds else ""
        return self._explanation(f"`{shown}`{operands}, has no value: {self._leaf.outcome.error}")

    def _explanation(  # noqa: PLR0913, PLR0917 - the parts of an explanation
        self,
        message: str,
        path: str = "",
        available: tuple[str, ...] = (),
        close: str = "",
        test: str = "",
        tail: str = "",
    ) -> ErrorExplanation:
        instead, replaces = self._soft(tail) if tail else ("", None)
        return ErrorExplanation(
            self._trace.outcome.error,
            message,
            self._leaf.span,
            path,
            available,
            close,
            test,
            instead,
            replaces,
        )

    def _soft(self, tail: str) -> tuple[str, Span]:
        """The optional form of the selections from the value, with a default."""
        top, above = self._leaf.node, list(reversed(self._chain[:-1]))
        while above and _reads(above[0].node, top):
            top = above.pop(0).node
        rest = self._trace.text[self._leaf.span.end : top.span.end]
        default = _default(above[0].node if above else None, top)
        return f"{tail}{rest}.orValue({default})", top.span

    def _source(self, node: Node) -> str:
        return self._trace.text[slice(*node.span)]

    def _before(self, node: Select | Call) -> str:
        """The source before the field or the bracket, parentheses included."""
        return self._trace.text[node.span.start : node.at.start].rstrip()

    def _path(self, node: Node) -> str:
        """The source with the elements that macros had reached in place of their variables."""
        match node:
            case Ident():
                return self._elements.get(node.name, node.name)
            case Select():
                return f"{self._path(node.operand)}.{node.field}"
            case Call(function="_[_]"):
                return f"{self._path(node.args[0])}[{self._path(node.args[1])}]"
        return self._source(node)

    def _bind_elements(self) -> None:
        """Find the path of the element for each macro variable around the error."""
        for step, below in pairwise(self._chain):
            for each in step.rounds:
                if (
                    any(below is inner for inner in each.steps)
                    and isinstance(step.node, Macro)
                    and step.node.target
                ):
                    path = self._path(step.node.target)
                    if isinstance(each.place, int):
                        path += f"[{each.place}]"
                    elif each.place is not None:
                        path = repr(each.place)
                    self._elements[each.variable] = path


def _reads(parent: Node, child: Node) -> bool:
    if isinstance(parent, Select):
        return parent.operand is child
    return isinstance(parent, Call) and parent.function in _INDEX and parent.args[0] is child


def _default(parent: Node | None, child: Node) -> str:
    """A default of the type that is expected at `child`."""
    if isinstance(parent, Macro) and parent.target is child:
        return "[]"
    if isinstance(parent, Macro) and parent.name == "map" and parent.args[-1] is child:
        return "''"
    if not isinstance(parent, Call):
        return "false"
    if parent.function == "@in" and parent.args[1] is child:
        return "[]"
    others = [arg for arg in parent.children if arg is not child and isinstance(arg, Literal)]
    logical = parent.function in ("_&&_", "_||_", "!_", "_?_:_")
    return "false" if logical else _DEFAULTS.get(others[0].kind if others else "string", "''")


def _listed(keys: tuple[str, ...]) -> str:
    if not keys:
        return "it is empty"
    more = f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else ""
    return f"there is {', '.join(f'`{key}`' for key in keys[:_SHOWN])}{more}"


def _kind(value: Any) -> str:
    """The type of a value, in words."""
    names: dict[type, str] = {
        bool: "a bool",
        int: "a number",
        float: "a number",
        str: "a string",
        bytes: "bytes",
        list: "a list",
        dict: "a map",
        datetime.datetime: "a time",
        datetime.timedelta: "a duration",
    }
    return names.get(type(value), "null")
