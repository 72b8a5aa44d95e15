"""Code lenses: the verdicts of health tests, above the checks that they target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from celvet.lint.healthtest.health_test import HealthTest
from celvet.lint.healthtest.run.run import CaseRun, run_case
from celvet.lint.lsp.features.placed_evaluators import placed_evaluators
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.model import Span
from celvet.record import record

_MOST_NAMED = 3


@record
class Lens:
    """A line of text above a check, and the test that it leads to."""

    extent: Span
    title: str
    test: HealthTest


@record
class _TestRun:
    """A health test and the runs of its cases."""

    test: HealthTest
    runs: tuple[CaseRun, ...]

    @classmethod
    def of(cls, test: HealthTest) -> _TestRun:
        """Run all cases of a test."""
        return cls(test, tuple(run_case(test, case) for case in test.cases))


def lenses(parts: Iterable[PlacedAnalysis], tests: Sequence[HealthTest]) -> list[Lens]:
    """A lens for each check that a test targets."""
    objects = {test.target.object for test in tests}
    return [
        Lens(placed_evaluator.extent, _title(test_runs), _first_failed(test_runs).test)
        for part in parts
        for placed_evaluator in placed_evaluators(part, objects)
        if (test_runs := [_TestRun.of(test) for test in placed_evaluator.tests_among(tests)])
    ]


def _first_failed(test_runs: Sequence[_TestRun]) -> _TestRun:
    """The first test with a failed case, else the first."""
    return next(
        (test_run for test_run in test_runs if any(run.failed for run in test_run.runs)),
        test_runs[0],
    )


def _title(test_runs: Sequence[_TestRun]) -> str:
    """The verdicts if all tests pass, else the failures."""
    runs = [run for test_run in test_runs for run in test_run.runs]
    failures = [run for run in runs if run.failed]
    if failures:
        differences = "; ".join(_difference(run) for run in failures[:_MOST_NAMED])
        more = f"; and {len(failures) - _MOST_NAMED} more" if len(failures) > _MOST_NAMED else ""
        return f"health tests: {len(failures)} of {len(runs)} failed: {differences}{more}"
    verdicts = dict.fromkeys(step.verdict.status for run in runs for step in run.steps)
    return f"health tests: {len(runs)} passed ({', '.join(verdicts)})"


def _difference(run: CaseRun) -> str:
    if not run.mismatches:
        return f"{run.case.name}: passes, although `xfail` is set"
    mismatch = run.mismatches[0]
    return (
        f"{run.case.name}: {mismatch.subject} {mismatch.result} instead of {mismatch.expectation}"
    )
