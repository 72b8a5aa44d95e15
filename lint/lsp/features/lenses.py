"""Code lenses: the verdicts of health tests, above the checks that they target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from celvet.lint.healthtest.health_test import HealthTest
from celvet.lint.healthtest.run.run import CaseRun, run_case
from celvet.lint.lsp.features.evaluators import placed_evaluators
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
        Lens(entry.extent, _title(tried), _first(tried).test)
        for placed in parts
        for entry in placed_evaluators(placed, objects)
        if (tried := [_TestRun.of(test) for test in entry.tested_by(tests)])
    ]


def _first(tried: Sequence[_TestRun]) -> _TestRun:
    """The first test with a failed case, else the first."""
    return next((each for each in tried if any(run.failed for run in each.runs)), tried[0])


def _title(tried: Sequence[_TestRun]) -> str:
    """The verdicts if all tests pass, else the failures."""
    runs = [run for each in tried for run in each.runs]
    failed = [run for run in runs if run.failed]
    if failed:
        listed = "; ".join(_difference(run) for run in failed[:_MOST_NAMED])
        more = f"; and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
        return f"health tests: {len(failed)} of {len(runs)} failed: {listed}{more}"
    verdicts = dict.fromkeys(step.verdict.status for run in runs for step in run.steps)
    return f"health tests: {len(runs)} passed ({', '.join(verdicts)})"


def _difference(run: CaseRun) -> str:
    if not run.mismatches:
        return f"{run.case.name}: passes, although `xfail` is set"
    first = run.mismatches[0]
    return f"{run.case.name}: {first.subject} {first.result} instead of {first.expectation}"
