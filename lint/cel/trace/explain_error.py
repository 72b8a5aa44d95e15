"""Explains an evaluation error: what is missing, what is there instead, and what to write."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from celvet.lint.cel.syntax.tree import Call, Ident, Literal, Macro, Node, Select
from celvet.lint.cel.trace.trace import Trace, TraceStep
from celvet.lint.model import Span, Value
from celvet.lint.similar import closest_name
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
    `similar` is the key most like the missing one. `test` is an expression that is true if the
    error does not occur, `instead` reads the value so that it always gives one; each may be empty.
    """

    error: str
    message: str
    span: Span
    path: str = ""
    similar: str = ""
    test: str = ""
    instead: str = ""


def explain_error(trace: Trace, variables: Mapping[str, Value]) -> ErrorExplanation | None:
    """Why the evaluation failed on these variables; None if it did not fail, or was over budget."""
    if not trace.outcome.error or not trace.outcome.analysed:
        return None
    return _Explainer(trace, variables).explain()


class _Explainer:
    def __init__(self, trace: Trace, variables: Mapping[str, Value]) -> None:
        self._trace = trace
        self._variables = variables
        self._chain = trace.deciding_steps()
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
        lasting = "an expression cannot test for one, so the error lasts until it exists"
        message = f"there is no top-level field `{name}`; {_list_keys(keys)}; {lasting}"
        return self._make_explanation(message, "", closest_name(name, keys))

    def _field(self, node: Select, operand: TraceStep) -> ErrorExplanation:
        path, operand_value = self._path(node.operand), operand.outcome.value
        test = f"has({self._source(node)})"
        tail = f"{self._source_before(node).removesuffix('?').removesuffix('.')}.?{node.field}"
        if not isinstance(operand_value, Mapping):
            message = f"`{path}` is {_kind(operand_value)}, which has no field `{node.field}`"
            if isinstance(operand_value, list):  # `has(...)` and `.?` fail on a list as well
                return self._make_explanation(f"{message}; use `exists` to test its elements", path)
            return self._make_explanation(message, path, test=test, tail=tail)
        keys = tuple(map(str, operand_value))
        message = f"`{path}` has no field `{node.field}`; {_list_keys(keys)}"
        return self._make_explanation(message, path, closest_name(node.field, keys), test, tail)

    def _element(self, node: Call, container: TraceStep, index: TraceStep) -> ErrorExplanation:
        path, value, key = self._path(node.args[0]), container.outcome.value, index.outcome.value
        source, index_source = self._source_before(node), self._source(node.args[1])
        tail = f"{source}[?{index_source}]"
        # A missing element can be tested for, a value of another type cannot.
        if isinstance(value, list) and isinstance(key, int):
            count = f"{len(value)} element{'' if len(value) == 1 else 's'}"
            message = f"`{path}` has {count} and none at index {key}"
            return self._make_explanation(
                message, path, test=f"size({source}) > {index_source}", tail=tail
            )
        if isinstance(value, Mapping):
            keys = tuple(map(str, value))
            message = f"`{path}` has no key `{key}`; {_list_keys(keys)}"
            similar_key = closest_name(str(key), keys)
            return self._make_explanation(
                message, path, similar_key, f"{index_source} in {source}", tail
            )
        message = f"`{path}` is {_kind(value)}, which has no element {key!r}"
        advice = "; use `exists` to test its elements" if isinstance(value, list) else ""
        return self._make_explanation(message + advice, path)

    def _loop(self, node: Macro, target: TraceStep) -> ErrorExplanation:
        path = self._path(node.target) if node.target else ""
        value = target.outcome.value
        if node.target is None or isinstance(value, list | Mapping):
            return self._operation()
        message = f"`{path}` is {_kind(value)}, and `{node.name}` needs a list"
        return self._make_explanation(
            message, path, test=f"type({self._source(node.target)}) == list"
        )

    def _operation(self) -> ErrorExplanation:
        source = self._source(self._leaf.node)
        kinds = [_kind(part.outcome.value) for part in self._leaf.parts]
        operands = f", of {' and '.join(kinds)}" if kinds else ""
        return self._make_explanation(
            f"`{source}`{operands}, has no value: {self._leaf.outcome.error}"
        )

    def _make_explanation(
        self,
        message: str,
        path: str = "",
        similar_key: str = "",
        test: str = "",
        tail: str = "",
    ) -> ErrorExplanation:
        error, span = self._trace.outcome.error, self._leaf.span
        instead = self._optional_form(tail) if tail else ""
        return ErrorExplanation(error, message, span, path, similar_key, test, instead)

    def _optional_form(self, tail: str) -> str:
        """The optional form of the selections from the value, with a default."""
        top, outer_steps = self._leaf.node, list(reversed(self._chain[:-1]))
        while outer_steps and _reads(outer_steps[0].node, top):
            top = outer_steps.pop(0).node
        selections = self._trace.text[self._leaf.span.end : top.span.end]
        default = _default(outer_steps[0].node if outer_steps else None, top)
        return f"{tail}{selections}.orValue({default})"

    def _source(self, node: Node) -> str:
        return self._trace.text[slice(*node.span)]

    def _source_before(self, node: Select | Call) -> str:
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
        for step, inner_step in pairwise(self._chain):
            for trace_round in step.rounds:
                if (
                    any(inner_step is round_step for round_step in trace_round.steps)
                    and isinstance(step.node, Macro)
                    and step.node.target
                ):
                    path = self._path(step.node.target)
                    if isinstance(trace_round.place, int):
                        path += f"[{trace_round.place}]"
                    elif trace_round.place is not None:
                        path = repr(trace_round.place)
                    self._elements[trace_round.variable] = path


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
    literals = [arg for arg in parent.children if arg is not child and isinstance(arg, Literal)]
    is_logical = parent.function in ("_&&_", "_||_", "!_", "_?_:_")
    return (
        "false" if is_logical else _DEFAULTS.get(literals[0].kind if literals else "string", "''")
    )


def _list_keys(keys: tuple[str, ...]) -> str:
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
