"""The entries of a document that a controller evaluators by, with their health tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.healthtest.model import HealthTest
from celvet.lint.healthtest.run.run import CaseRun, run_case
from celvet.lint.lsp.state.analysis import Placed
from celvet.lint.model import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: by what it is judged, and its offsets in the file."""

    checked: CheckedObject
    evaluator: Evaluator
    extent: Span

    def tested_by(self, tests: Iterable[HealthTest]) -> Iterator[HealthTest]:
        """The tests that target the entry, as it is now."""
        for test in tests:
            target = test.target
            same = target.object == self.checked.object
            if same and target.evaluator.title == self.evaluator.title:
                yield replace(test, target=replace(target, evaluator=self.evaluator))


def entries(placed: Placed) -> Iterator[Entry]:
    """The entries of a document, in its order; a patch has none."""
    for checked in placed.part.result.checked:
        for evaluator in () if checked.partial else evaluators(checked):
            if evaluator.path:
                extent = placed.extent(checked.place(evaluator.path))
                yield Entry(checked, evaluator, extent)


@dataclass(frozen=True, slots=True)
class Tried:
    """A health test and what came of each of its cases."""

    test: HealthTest
    runs: tuple[CaseRun, ...]

    @classmethod
    def of(cls, test: HealthTest) -> Tried:
        """Run all cases of a test."""
        return cls(test, tuple(run_case(test, case) for case in test.cases))
