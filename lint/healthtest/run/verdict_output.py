"""Writes the verdicts of `celvet eval`, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from celvet.lint.cel.syntax.tree import Ident
from celvet.lint.cel.trace.trace import Trace
from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer, ExpressionAnswer
from celvet.lint.healthtest.run.evaluation import Evaluation
from celvet.lint.healthtest.run.reason import Reason, reason
from celvet.lint.model import ObjectRef, Value, field_path
from celvet.lint.safe_text import json_text, terminal_text
from celvet.lint.values import object_ref_of
from celvet.lint.waiters.waiter import Waiter, WaiterJudgement

_VERSION = 1
_CONDITIONS = frozenset({"", "bool", "dyn", "optional_type(bool)"})
"""The types of what may be a condition; no type is that of an expression that is not checked."""


def as_text(results: Sequence[Evaluation], trace: bool, *, name_objects: bool = False) -> str:
    """Each answer with the results of its expressions; `<` marks the one that decided.

    With `name_objects`, an answer about one object names it.
    """
    return "\n".join(
        "".join(f"{terminal_text(line)}\n" for line in _lines(evaluation, trace, name_objects))
        for evaluation in results
    )


def as_json(results: Sequence[Evaluation], trace: bool) -> str:
    """The answers as one JSON document."""
    return json_text(
        {
            "version": _VERSION,
            "evaluations": [_document(evaluation, trace) for evaluation in results],
        }
    )


def judgements_as_text(waiter: Waiter, judgements: Sequence[tuple[Value, WaiterJudgement]]) -> str:
    """What a waiter makes of each object, empty if there is none: a line, and below it why."""
    lines = [f"{waiter.name} ({waiter.mirrors})"]
    for obj, judgement in judgements:
        name = _name(object_ref_of(obj)) if obj else "no object"
        lines.append(f"  {name}: {judgement.status or judgement.effect}")
        lines += [f"    {text}" for text in (judgement.message or judgement.error,) if text]
    return "".join(f"{terminal_text(line)}\n" for line in lines)


def judgements_as_json(waiter: Waiter, judgements: Sequence[tuple[Value, WaiterJudgement]]) -> str:
    """What a waiter makes of objects, as one JSON document in the form of verdicts."""
    evaluations = [
        {
            "title": waiter.name,
            "builtin": waiter.mirrors,
            "judged": [object_ref_of(obj).fields()] if obj else [],
            "verdict": {
                "status": judgement.status,
                "effect": judgement.effect,
                "message": judgement.message,
                "error": judgement.error,
            },
        }
        for obj, judgement in judgements
    ]
    return json_text({"version": _VERSION, "evaluations": evaluations})


def _lines(evaluation: Evaluation, trace: bool, name_objects: bool) -> Iterator[str]:
    answer, verdict = evaluation.answer, evaluation.answer.verdict
    name = _name(evaluation.objects[0]) if name_objects and len(evaluation.objects) == 1 else ""
    place, title = field_path(answer.evaluator.path), answer.evaluator.title
    if verdict.status or place:
        kind = f": {title}" if title != place else ""
        yield f"{', '.join(filter(None, (evaluation.object.title, place)))}{kind}"
    if verdict.status:
        word = f" ({verdict.reason})" if verdict.reason else ""
        yield f"  {f'{name}: ' if name else ''}{verdict.status}{word}"
    elif name:
        yield f"  {name}" if place else name
    if builtin := answer.evaluator.builtin:
        yield f"  {_fallback(evaluation, builtin)}"
    if verdict.message and verdict.message != verdict.error:
        yield f"  {verdict.message}"
    cause = reason(answer)
    sentence = cause.sentence if cause and _is_new(cause, answer) else ""
    if verdict.status and sentence:
        yield f"  {sentence}"
    # One level for each line above that stands for the check or the object.
    indent = "  " * (bool(verdict.status or place) + bool(verdict.status or name))
    width = max((len(result.expression.role) for result in answer.expressions), default=0)
    for result in answer.expressions:
        is_cause = verdict.cause is not None and verdict.cause.path == result.expression.path
        mark = "  <" if is_cause and len(answer.expressions) > 1 else ""
        yield f"{indent}{result.expression.role:<{width}}  {_outcome(result)}{mark}"
        yield from (f"{indent}  {line}" for line in _trace_lines(answer, result, trace))
    if sentence and not verdict.status:
        yield f"{indent}  {sentence}"


def _is_new(cause: Reason, answer: Answer) -> bool:
    """Whether a reason says more than the results of the expressions do."""
    if cause.decision is None:
        return True
    if cause.decision.outcome.error:  # explained with the expression
        return False
    return bool(answer.verdict.status) or isinstance(cause.decision.outcome.value, bool)


def _fallback(evaluation: Evaluation, builtin: str) -> str:
    kinds = sorted({str(reference.group_kind) for reference in evaluation.objects})
    return f"decided by {builtin}: no expression here is about {' or '.join(kinds)}"


def _name(object_: ObjectRef) -> str:
    key = "/".join(filter(None, (object_.namespace, object_.name)))
    return f"{object_.kind} {key}".strip() or "an object without a name"


def _outcome(result: ExpressionAnswer) -> str:
    return f"refused: {result.refusal}" if result.refusal else traces.shown(result.outcome)


def _trace_lines(answer: Answer, result: ExpressionAnswer, trace: bool) -> Iterator[str]:
    expression_trace = answer.trace(result.expression)
    if expression_trace is None or result.refusal:
        return
    if trace:
        yield from traces.lines(expression_trace)
    yield from _explanation(answer, result, expression_trace)


def _explanation(
    answer: Answer, result: ExpressionAnswer, expression_trace: Trace
) -> Iterator[str]:
    """An error in words; a variable of the dialect is missing only on this command line."""
    node, variables = expression_trace.deciding_steps()[-1].node, answer.variables
    missing = result.expression.dialect.variables.keys() - variables
    if result.outcome.error and isinstance(node, Ident) and node.name in missing:
        yield f"`{node.name}` has no value here; give one with `--var {node.name}=FILE`"
    else:
        expression = result.expression
        # The default that would be told is for a condition, and no text or number of a template.
        is_condition = getattr(expression.program, "result_type", "") in _CONDITIONS
        has_optionals = expression.dialect.has_optionals and is_condition
        yield from traces.explained(expression_trace, variables, has_optionals=has_optionals)


def _document(evaluation: Evaluation, trace: bool) -> dict[str, Any]:
    verdict, cause = evaluation.answer.verdict, reason(evaluation.answer)
    return {
        "object": evaluation.object.fields(),
        "field": field_path(evaluation.answer.evaluator.path),
        "title": evaluation.answer.evaluator.title,
        "builtin": evaluation.answer.evaluator.builtin,
        "judged": [reference.fields() for reference in evaluation.objects],
        "verdict": {
            "status": verdict.status,
            "reason": verdict.reason or (cause.word if cause else ""),
            "message": verdict.message or (cause.sentence if cause else ""),
            "error": verdict.error,
        },
        "cause": _cause(cause) if cause else None,
        "expressions": [
            _expression(evaluation.answer, result, trace)
            for result in evaluation.answer.expressions
        ],
    }


def _cause(cause: Reason) -> dict[str, Any]:
    """What decided, with the values that it read, where an expression did."""
    document = {"reason": cause.word, "message": cause.sentence}
    if cause.expression and cause.decision:
        document |= {
            "field": field_path(cause.expression.path),
            "expression": cause.decision.expression,
            "observed": traces.json_value(cause.decision.observed),
        }
    return document


def _expression(answer: Answer, result: ExpressionAnswer, trace: bool) -> dict[str, Any]:
    expression = result.expression
    document: dict[str, Any] = {"role": expression.role, "field": field_path(expression.path)}
    if result.refusal:
        return {**document, "refused": result.refusal}
    document |= traces.outcome_document(result.outcome)
    expression_trace = answer.trace(expression)
    if expression_trace is None:
        return document
    if explanation := [*_explanation(answer, result, expression_trace)]:
        document["explanation"] = explanation
    return {**document, "trace": traces.document(expression_trace)} if trace else document
