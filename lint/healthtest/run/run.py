"""Runs the cases of a health test, step by step in simulated time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import accumulate, groupby, islice, zip_longest
from typing import TypeAlias

from celvet.lint.healthtest.health_test import Case, HealthTest, Step
from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer, ExpressionAnswer, answer
from celvet.lint.healthtest.run.differences import (
    Difference,
    differences,
    no_wait,
    wait_differences,
)
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.rollout import Wait, waits
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record, replace


@record
class CaseRun:
    """A case that was run; it passed if there is no mismatch.

    `waits` are at most as many as the case names; `deciding` is the first unexpected answer, of a
    step or of the last check of a wait.
    """

    case: Case
    steps: tuple[Answer, ...]
    waits: tuple[Wait, ...]
    mismatches: tuple[Difference, ...]
    deciding: Answer | None

    @property
    def failed(self) -> bool:
        """Whether the case should not end like this."""
        return bool(self.mismatches) != bool(self.case.xfail)


def run_case(test: HealthTest, case: Case) -> CaseRun:
    """Run one case; never raises, whatever the expressions and objects contain."""
    if case.skip:
        return CaseRun(case, (), (), (), None)
    evaluator = test.target.evaluator
    steps = tuple(_steps(evaluator, case))
    case_waits = tuple(islice(waits(evaluator, partial(_state, case)), len(case.waits)))
    mismatches = [*_wrong_steps(case, _changes(steps) if case.changes else steps)]
    mismatches += _wrong_waits(case, case_waits, evaluator)
    deciding = next((answer for _, answer in mismatches if answer), None)
    return CaseRun(
        case, steps, case_waits, tuple(difference for difference, _ in mismatches), deciding
    )


_Wrong: TypeAlias = tuple[Difference, Answer | None]
"""A difference, and the answer that shows it."""


def _wrong_steps(case: Case, steps: Sequence[Answer]) -> Iterator[_Wrong]:
    has_numbers = len(case.expectations) > 1
    pairs = zip_longest(case.expectations, steps) if case.expectations else ()
    for number, (expectation, step) in enumerate(pairs, start=1):
        if expectation is None or step is None:
            yield _count_mismatch(case, steps), None
            return
        for difference in differences(expectation, step):
            yield (replace(difference, step=number) if has_numbers else difference), step


def _wrong_waits(case: Case, case_waits: Sequence[Wait], evaluator: Evaluator) -> Iterator[_Wrong]:
    for number, (expectation, wait) in enumerate(zip_longest(case.waits, case_waits), start=1):
        step = number if len(case.waits) > 1 else 0
        if wait is None:
            first_answer = None if case_waits else answer(evaluator, _state(case, timedelta()))
            yield replace(no_wait(expectation, first_answer), step=step), first_answer
            return
        for difference in wait_differences(expectation, wait):
            yield replace(difference, step=step), answer(evaluator, wait.cluster)


def verdicts(evaluator: Evaluator, case: Case) -> list[str]:
    """The verdict of each step; of a recording, only of each change."""
    steps = tuple(_steps(evaluator, case))
    return [step.verdict.status for step in (_changes(steps) if case.changes else steps)]


def _steps(evaluator: Evaluator, case: Case) -> Iterator[Answer]:
    previous: Verdict | None = None
    time = timedelta()
    for step in case.steps:
        time += step.delay
        cluster = replace(_cluster(case, step, time), waited=time, previous=previous)
        step_answer = answer(evaluator, cluster)
        previous = step_answer.verdict
        yield step_answer


def _state(case: Case, at: timedelta) -> ClusterState:
    """The cluster at a time since the first step: as the last step until then leaves it."""
    times = accumulate(step.delay for step in case.steps)
    past = [step for step, time in zip(case.steps, times, strict=True) if time <= at]
    return _cluster(case, past[-1], at)


def _cluster(case: Case, step: Step, at: timedelta) -> ClusterState:
    return ClusterState(
        objects=step.objects, now=case.start + at, owner=step.owner, settings=step.settings
    )


def _changes(steps: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """The steps at which the verdict changes."""
    groups = groupby(steps, key=lambda step: step.verdict.status)
    return tuple(next(group) for _, group in groups)


def _count_mismatch(case: Case, steps: Sequence[Answer]) -> Difference:
    result = ", ".join(step.verdict.status for step in steps)
    expectations = ", ".join(expectation.verdict or "any" for expectation in case.expectations)
    verdicts = [step.verdict.status for step in steps]
    return Difference("verdicts", expectations, result, (*case.path, "expect"), verdicts)


def explanation(run: CaseRun) -> Iterator[str]:
    """The trace of the expression that decided the first wrong step; empty if there is none."""
    if run.deciding is None:
        return
    verdict = run.deciding.verdict
    for label, text in (("reason", verdict.reason), ("message", verdict.message)):
        if text and text != verdict.error:
            yield f"{label}: {text}"
    for item in _deciding_expressions(run.deciding):
        trace = run.deciding.trace(item.expression)
        if trace is not None:
            yield f"{item.expression.role}:"
            yield from traces.lines(trace)


def _deciding_expressions(answer: Answer) -> list[ExpressionAnswer]:
    """The expression that decided the verdict, or all if none did."""
    cause = answer.verdict.cause
    items = [item for item in answer.expressions if cause and item.expression.path == cause.path]
    return items or list(answer.expressions)
