"""Text and JSON output of `celvet eval`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from celvet.lint.cel.syntax.tree import Ident
from celvet.lint.cel.trace.trace import Trace
from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer, ExpressionAnswer
from celvet.lint.healthtest.run.evaluation import Evaluation
from celvet.lint.model import ObjectRef, field_path
from celvet.lint.safe_text import json_text, terminal_text

_VERSION = 1


def as_text(found: Sequence[Evaluation], trace: bool, *, named: bool = False) -> str:
    """Each answer with the results of its expressions; `<` marks the one that decided.

    With `named`, an answer about one object names it.
    """
    return "\n".join(
        "".join(f"{terminal_text(line)}\n" for line in _lines(each, trace, named)) for each in found
    )


def as_json(found: Sequence[Evaluation], trace: bool) -> str:
    """The same as one JSON document."""
    return json_text(
        {"version": _VERSION, "evaluations": [_document(each, trace) for each in found]}
    )


def _lines(each: Evaluation, trace: bool, named: bool) -> Iterator[str]:
    answer, verdict = each.answer, each.answer.verdict
    name = _name(each.objects[0]) if named and len(each.objects) == 1 else ""
    place, title = field_path(answer.evaluator.path), answer.evaluator.title
    if verdict.status or place:
        kind = f": {title}" if title != place else ""
        yield f"{', '.join(filter(None, (each.object.title, place)))}{kind}"
    if verdict.status:
        reason = f" ({verdict.reason})" if verdict.reason else ""
        yield f"  {f'{name}: ' if name else ''}{verdict.status}{reason}"
    elif name:
        yield f"  {name}" if place else name
    if builtin := answer.evaluator.builtin:
        yield f"  {_fallback(each, builtin)}"
    if verdict.message and verdict.message != verdict.error:
        yield f"  {verdict.message}"
    indent = "  " * (bool(verdict.status or place) + bool(verdict.status or name))
    width = max((len(given.expression.role) for given in answer.expressions), default=0)
    for given in answer.expressions:
        decided = verdict.cause is not None and verdict.cause.path == given.expression.path
        mark = "  <" if decided and len(answer.expressions) > 1 else ""
        yield f"{indent}{given.expression.role:<{width}}  {_given(given)}{mark}"
        yield from (f"{indent}  {line}" for line in _more(answer, given, trace))


def _fallback(each: Evaluation, builtin: str) -> str:
    kinds = sorted({str(reference.group_kind) for reference in each.objects})
    return f"decided by {builtin}: no expression here is about {' or '.join(kinds)}"


def _name(object_: ObjectRef) -> str:
    key = "/".join(filter(None, (object_.namespace, object_.name)))
    return f"{object_.kind} {key}".strip() or "an object without a name"


def _given(given: ExpressionAnswer) -> str:
    return f"refused: {given.refusal}" if given.refusal else traces.shown(given.outcome)


def _more(answer: Answer, given: ExpressionAnswer, trace: bool) -> Iterator[str]:
    found = answer.trace(given.expression)
    if found is None or given.refusal:
        return
    if trace:
        yield from traces.lines(found)
    yield from _explained(answer, given, found)


def _explained(answer: Answer, given: ExpressionAnswer, found: Trace) -> Iterator[str]:
    """An error in words; a variable of the dialect is missing only on this command line."""
    node, known = found.deciding()[-1].node, answer.variables
    missing = given.expression.dialect.variables.keys() - known
    if given.outcome.error and isinstance(node, Ident) and node.name in missing:
        yield f"`{node.name}` has no value here; give one with `--var {node.name}=FILE`"
    else:
        yield from traces.explained(found, known)


def _document(each: Evaluation, trace: bool) -> dict[str, Any]:
    verdict = each.answer.verdict
    return {
        "object": each.object.fields(),
        "field": field_path(each.answer.evaluator.path),
        "title": each.answer.evaluator.title,
        "builtin": each.answer.evaluator.builtin,
        "judged": [reference.fields() for reference in each.objects],
        "verdict": {
            "status": verdict.status,
            "reason": verdict.reason,
            "message": verdict.message,
            "error": verdict.error,
        },
        "expressions": [
            _expression(each.answer, given, trace) for given in each.answer.expressions
        ],
    }


def _expression(answer: Answer, given: ExpressionAnswer, trace: bool) -> dict[str, Any]:
    expression = given.expression
    found: dict[str, Any] = {"role": expression.role, "field": field_path(expression.path)}
    if given.refusal:
        return {**found, "refused": given.refusal}
    found |= traces.outcome_document(given.outcome)
    traced = answer.trace(expression)
    if traced is None:
        return found
    if explanation := [*_explained(answer, given, traced)]:
        found["explanation"] = explanation
    return {**found, "trace": traces.document(traced)} if trace else found
