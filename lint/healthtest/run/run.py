"""Runs the cases of a health test, step by step in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby, zip_longest

from celvet.lint.controllers.evaluator import ClusterState, Evaluator
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.healthtest.model import Case, HealthTest
from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.healthtest.run.differences import Difference, differences


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case that was run; it passed if there is no mismatch.

    `deciding` is the step whose answer is the first that is not as expected.
    """

    case: Case
    steps: tuple[Answer, ...]
    mismatches: tuple[Difference, ...]
    deciding: Answer | None

    @property
    def failed(self) -> bool:
        """Whether the case should not end like this."""
        return bool(self.mismatches) != bool(self.case.xfail)


def run_case(test: HealthTest, case: Case) -> CaseRun:
    """Run one case; never raises, whatever the expressions and objects hold."""
    if case.skip:
        return CaseRun(case, (), (), None)
    steps = tuple(_steps(test.target.evaluator, case))
    compared = _changes(steps) if case.changes else steps
    wrong: list[Difference] = []
    deciding: Answer | None = None
    counted = len(case.expected) > 1
    for number, (expected, step) in enumerate(zip_longest(case.expected, compared), start=1):
        if expected is None or step is None:
            wrong.append(_miscounted(case, compared))
            break
        found = list(differences(expected, step))
        deciding = deciding or (step if found else None)
        wrong += (replace(each, step=number) if counted else each for each in found)
    return CaseRun(case, steps, tuple(wrong), deciding)


def verdicts(evaluator: Evaluator, case: Case) -> list[str]:
    """The verdict of each step, of a recording of each change."""
    steps = tuple(_steps(evaluator, case))
    return [step.verdict.status for step in (_changes(steps) if case.changes else steps)]


def _steps(evaluator: Evaluator, case: Case) -> Iterator[Answer]:
    previous: Verdict | None = None
    waited = timedelta()
    for step in case.steps:
        waited += step.after
        cluster = ClusterState(
            objects=step.objects,
            now=case.start + waited,
            owner=step.owner,
            settings=step.settings,
            waited=waited,
            previous=previous,
        )
        found = answer(evaluator, cluster)
        previous = found.verdict
        yield found


def _changes(steps: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """The steps at which the verdict is another than before."""
    groups = groupby(steps, key=lambda step: step.verdict.status)
    return tuple(next(group) for _, group in groups)


def _miscounted(case: Case, steps: tuple[Answer, ...]) -> Difference:
    came = ", ".join(step.verdict.status for step in steps)
    wanted = ", ".join(expected.verdict or "any" for expected in case.expected)
    verdicts = [step.verdict.status for step in steps]
    return Difference("verdicts", wanted, came, (*case.path, "expect"), verdicts)
