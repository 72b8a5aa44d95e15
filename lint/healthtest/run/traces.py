"""Writes traces of evaluations, for people and for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from celvet.lint.cel.engine.outcome import Outcome
from celvet.lint.cel.syntax.tree import Ident, Literal
from celvet.lint.cel.trace.explain_error import explain_error
from celvet.lint.cel.trace.trace import Trace, TraceRound, TraceStep
from celvet.lint.model import Value
from celvet.lint.safe_text import one_line

_WIDTH = 72
"""The most columns of a text or a value."""

_MOST_LINES = 200

_PLAIN = (Literal, Ident)
"""Steps that only repeat what is shown next to them."""


def lines(trace: Trace) -> Iterator[str]:
    """The steps as an indented tree; `>` marks those that settled the outcome."""
    deciding = {id(step) for step in trace.deciding_steps()}
    for number, line in enumerate(_step(trace, trace.root, "", deciding)):
        if number == _MOST_LINES:
            yield "  ..."
            return
        yield line
    if not trace.complete:
        yield "  ... (there are more steps than are recorded)"


def explained(
    trace: Trace, variables: Mapping[str, Value], *, has_optionals: bool
) -> Iterator[str]:
    """An error in words: what was missing, where, and how to guard it; empty without an error.

    `has_optionals` says whether the controller knows `.?`.
    """
    explanation = explain_error(trace, variables)
    if explanation is None:
        return
    yield explanation.message
    if explanation.similar:
        yield f"did you mean `{explanation.similar}`?"
    guards = [f"test it: `{explanation.test}`"] if explanation.test else []
    if explanation.instead and has_optionals:
        guards.append(f"write `{explanation.instead}`")
    if guards:
        yield f"to guard it, {' or '.join(guards)}"


def document(trace: Trace) -> dict[str, Any]:
    """The steps as nested mappings for JSON."""
    return _document(trace, trace.root, {id(step) for step in trace.deciding_steps()})


def shown(outcome: Outcome) -> str:
    """A value or an error on one line."""
    return f"error: {outcome.error}" if outcome.error else _value_shown(outcome.value)


def _value_shown(value: Any) -> str:
    """A value on one line, JSON if it can be, cut where it gets long."""
    if isinstance(value, list) and len(value) > 3:
        return f"a list of {len(value)}"
    return one_line(json.dumps(value, ensure_ascii=False, default=str), _WIDTH)


def _step(trace: Trace, step: TraceStep, indent: str, deciding: set[int]) -> Iterator[str]:
    mark = ">" if id(step) in deciding else " "
    yield f"{mark} {indent}{one_line(trace.source(step), _WIDTH)}  =  {shown(step.outcome)}"
    for part in step.parts:
        if id(part) in deciding or not isinstance(part.node, _PLAIN):
            yield from _step(trace, part, f"{indent}  ", deciding)
    for trace_round in step.rounds:
        yield f"  {indent}  {_round(trace_round)}"
        for part in trace_round.steps:
            yield from _step(trace, part, f"{indent}    ", deciding)


def _round(each: TraceRound) -> str:
    place = "" if each.place is None else f" [{json.dumps(each.place, ensure_ascii=False)}]"
    return f"with {each.variable}{place}  =  {_value_shown(each.value)}"


def _document(trace: Trace, step: TraceStep, deciding: set[int]) -> dict[str, Any]:
    document: dict[str, Any] = {"expression": trace.source(step), **outcome_document(step.outcome)}
    if id(step) in deciding:
        document["deciding"] = True
    if step.parts:
        document["parts"] = [_document(trace, part, deciding) for part in step.parts]
    if step.rounds:
        document["rounds"] = [
            {
                "variable": trace_round.variable,
                "place": trace_round.place,
                "value": json_value(trace_round.value),
                "parts": [_document(trace, part, deciding) for part in trace_round.steps],
            }
            for trace_round in step.rounds
        ]
    return document


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """`{"value": ...}` or `{"error": ...}`."""
    return {"error": outcome.error} if outcome.error else {"value": json_value(outcome.value)}


def json_value(value: Any) -> Any:
    """The value for JSON; a type that JSON lacks becomes a string."""
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [json_value(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    plain = value is None or isinstance(value, bool | int | str)
    finite = isinstance(value, float) and math.isfinite(value)
    return value if plain or finite else str(value)
