"""Why a controller gives its verdict, in a sentence."""

from __future__ import annotations

from celvet.lint.cel import Decision, decision
from celvet.lint.cel.trace.decision import in_words
from celvet.lint.cel.trace.readings import StepScope
from celvet.lint.checks import AnyExpression
from celvet.lint.checks.fold import is_outdated
from celvet.lint.healthtest.run.answer import Answer
from celvet.lint.model import Value
from celvet.lint.values import get, list_at, text_at
from celvet.lint.verdicts.verdict import IGNORED
from celvet.lint.verdicts.wait_result import decisive_index, name_of
from celvet.record import record

_OUTDATED = "LatestGenerationNotObserved"
"""The reason of kstatus, which an evaluation of expressions gives for the same cause."""

_SETTLED = (IGNORED, "Stalled", "NotFound")
"""Statuses that no field of the object has decided."""


@record
class Reason:
    """Why a verdict is as it is: a `word` for programs, and a sentence.

    `decision` is the part of the expression that decided; None if no expression did.
    """

    word: str
    sentence: str
    expression: AnyExpression | None = None
    decision: Decision | None = None


def reason(answer: Answer) -> Reason | None:
    """Why an answer is as it is; None if the message of its verdict says everything."""
    if answer.verdict.status in _SETTLED:
        return None
    expression = _deciding_expression(answer)
    if expression is None:
        return _of_generation(answer) if answer.expressions else _of_built_in_test(answer)
    trace = answer.trace(expression)
    if trace is None:
        return None
    choice = decision(trace, answer.variables)
    word = "Error" if trace.outcome.error else str(trace.outcome.value).capitalize()
    return Reason(f"Expression{word}", choice.sentence(), expression, choice)


def _deciding_expression(answer: Answer) -> AnyExpression | None:
    """The expression that gave the verdict, or that had to be true for another one."""
    cause = answer.verdict.cause.path if answer.verdict.cause else None
    expressions = [item.expression for item in answer.expressions if not item.refusal]
    for expression in expressions:
        if expression.path == cause:
            return expression
        if (
            answer.verdict.status
            and expression.dialect.observes
            and is_outdated(answer.cluster.object)
        ):
            return None
    if answer.evaluator.prevails(answer.cluster):
        return None  # its message tells what each part makes of it
    required_expressions = [item for item in expressions if item.role == item.dialect.needs]
    return next(iter((*required_expressions, *reversed(expressions))), None)


def _of_generation(answer: Answer) -> Reason | None:
    """Why Flux has not even evaluated the expressions."""
    obj = answer.cluster.object
    if not is_outdated(obj):
        return None
    return Reason(_OUTDATED, f"{_generations(obj)}, so Flux does not look at the expressions")


def _of_built_in_test(answer: Answer) -> Reason | None:
    """Why a test of the controller's own does not hold, if its message does not say."""
    evaluator, cluster = answer.evaluator, answer.cluster
    obj = next(filter(evaluator.applies, cluster.objects), None)
    if obj is None or answer.verdict.status in ("True", "Current"):
        return None
    if evaluator.builtin:
        return _of_one_object(answer) if answer.verdict.end or not answer.verdict.message else None
    if is_outdated(obj):
        return Reason(_OUTDATED, _generations(obj))
    conditions = enumerate(list_at(obj, ("status", "conditions")))
    at = next((index for index, item in conditions if text_at(item, ("type",)) == "Ready"), None)
    if at is None:
        return Reason("NoReadyCondition", "there is no condition `Ready`")
    reading = StepScope(obj).reading(("status", "conditions", at, "status"))
    return None if reading.value == "True" else Reason("NotReady", next(in_words([reading])))


def _of_one_object(answer: Answer) -> Reason:
    """The verdict on the object that holds a wait up, of which the wait's own says nothing."""
    objects = [obj for obj in answer.cluster.objects if obj is not None]
    verdicts = [answer.evaluator.verdict_on(obj, answer.cluster.now) for obj in objects]
    index = decisive_index(verdicts)
    verdict = verdicts[index]
    if verdict.status == "Current":
        return Reason("NotFound", "it waits for objects that are not given here")
    words = ": ".join(filter(None, (name_of(objects[index]), verdict.status, verdict.message)))
    return Reason(verdict.reason, words)


def _generations(obj: Value) -> str:
    observed_generation, newest = (
        get(obj, path) for path in (("status", "observedGeneration"), ("metadata", "generation"))
    )
    return f"observedGeneration {observed_generation} is not generation {newest}"
