"""The verdicts of the health tests, above the entries that they target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from celvet.lint.healthtest.model import HealthTest
from celvet.lint.healthtest.run.run import CaseRun
from celvet.lint.lsp.features.entries import Tried, entries
from celvet.lint.lsp.state.analysis import Placed
from celvet.lint.model import Span

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above an entry, and the test to look at."""

    extent: Span
    title: str
    test: HealthTest


def lenses(parts: Iterable[Placed], tests: Sequence[HealthTest]) -> list[Lens]:
    """A lens for each entry that some test targets."""
    return [
        Lens(entry.extent, _title(tried), _first(tried).test)
        for placed in parts
        for entry in entries(placed)
        if (tried := [Tried.of(test) for test in entry.tested_by(tests)])
    ]


def _first(tried: Sequence[Tried]) -> Tried:
    """The first test of which a case failed, else the first."""
    return next((each for each in tried if any(_failed(run) for run in each.runs)), tried[0])


def _title(tried: Sequence[Tried]) -> str:
    """The verdicts where all are as expected, else what is not."""
    runs = [run for each in tried for run in each.runs]
    failed = [run for run in runs if _failed(run)]
    if failed:
        listed = "; ".join(_difference(run) for run in failed[:_MOST_NAMED])
        more = f"; and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
        return f"health tests: {len(failed)} of {len(runs)} failed: {listed}{more}"
    verdicts = dict.fromkeys(step.verdict.status for run in runs for step in run.steps)
    return f"health tests: {len(runs)} passed ({', '.join(verdicts)})"


def _failed(run: CaseRun) -> bool:
    return bool(run.mismatches)


def _difference(run: CaseRun) -> str:
    first = run.mismatches[0]
    return f"{run.case.name}: {first.what} {first.got} instead of {first.expected}"
