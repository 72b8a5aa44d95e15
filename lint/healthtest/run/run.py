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
    waited = tuple(islice(waits(evaluator, partial(_state, case)), len(case.waits)))
    wrong = [*_wrong_steps(case, _changes(steps) if case.changes else steps)]
    wrong += _wrong_waits(case, waited, evaluator)
    deciding = next((answer for _, answer in wrong if answer), None)
    return CaseRun(case, steps, waited, tuple(each for each, _ in wrong), deciding)


_Wrong: TypeAlias = tuple[Difference, Answer | None]
"""A difference, and the answer that shows it."""


def _wrong_steps(case: Case, steps: Sequence[Answer]) -> Iterator[_Wrong]:
    counted = len(case.expected) > 1
    pairs = zip_longest(case.expected, steps) if case.expected else ()
    for number, (expected, step) in enumerate(pairs, start=1):
        if expected is None or step is None:
            yield _miscounted(case, steps), None
            return
        for each in differences(expected, step):
            yield (replace(each, step=number) if counted else each), step


def _wrong_waits(case: Case, found: Sequence[Wait], evaluator: Evaluator) -> Iterator[_Wrong]:
    for number, (expected, wait) in enumerate(zip_longest(case.waits, found), start=1):
        step = number if len(case.waits) > 1 else 0
        if wait is None:
            first = None if found else answer(evaluator, _state(case, timedelta()))
            yield replace(no_wait(expected, first), step=step), first
            return
        for each in wait_differences(expected, wait):
            yield replace(each, step=step), answer(evaluator, wait.cluster)


def verdicts(evaluator: Evaluator, case: Case) -> list[str]:
    """The verdict of each step; of a recording, only of each change."""
    steps = tuple(_steps(evaluator, case))
    return [step.verdict.status for step in (_changes(steps) if case.changes else steps)]


def _steps(evaluator: Evaluator, case: Case) -> Iterator[Answer]:
    previous: Verdict | None = None
    waited = timedelta()
    for step in case.steps:
        waited += step.after
        cluster = replace(_cluster(case, step, waited), waited=waited, previous=previous)
        found = answer(evaluator, cluster)
        previous = found.verdict
        yield found


def _state(case: Case, at: timedelta) -> ClusterState:
    """The cluster at a time since the first step: as the last step until then leaves it."""
    times = accumulate(step.after for step in case.steps)
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


def _miscounted(case: Case, steps: Sequence[Answer]) -> Difference:
    came = ", ".join(step.verdict.status for step in steps)
    wanted = ", ".join(expected.verdict or "any" for expected in case.expected)
    verdicts = [step.verdict.status for step in steps]
    return Difference("verdicts", wanted, came, (*case.path, "expect"), verdicts)


def explanation(run: CaseRun) -> Iterator[str]:
    """The trace of the expression that decided the first wrong step; empty if there is none."""
    if run.deciding is None:
        return
    verdict = run.deciding.verdict
    for what, text in (("reason", verdict.reason), ("message", verdict.message)):
        if text and text != verdict.error:
            yield f"{what}: {text}"
    for given in _deciding(run.deciding):
        trace = run.deciding.trace(given.expression)
        if trace is not None:
            yield f"{given.expression.role}:"
            yield from traces.lines(trace)


def _deciding(answer: Answer) -> list[ExpressionAnswer]:
    """The expression that decided the verdict, or all if none did."""
    cause = answer.verdict.cause
    named = [given for given in answer.expressions if cause and given.expression.path == cause.path]
    return named or list(answer.expressions)
