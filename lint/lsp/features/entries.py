"""The entries of a document that a controller judges by, with their health tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from celvet.lint.checks.checked_object import Declaration
from celvet.lint.controllers import judges
from celvet.lint.controllers.judge import Judge
from celvet.lint.healthtest.model import HealthTest
from celvet.lint.healthtest.run.run import CaseRun, run_case
from celvet.lint.lsp.state.analysis import Placed
from celvet.lint.model import Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: by what it is judged, and its offsets in the file."""

    declaration: Declaration
    judge: Judge
    extent: Span

    def tested_by(self, tests: Iterable[HealthTest]) -> Iterator[HealthTest]:
        """The tests that target the entry, as it is now."""
        for test in tests:
            target = test.target
            same = target.object == self.declaration.object
            if same and target.judge.title == self.judge.title:
                yield replace(test, target=replace(target, judge=self.judge))


def entries(placed: Placed) -> Iterator[Entry]:
    """The entries of a document, in its order; a patch has none."""
    for declaration in placed.part.result.declarations:
        for judge in () if declaration.partial else judges(declaration.value):
            if judge.path:
                extent = placed.extent(declaration.place(judge.path))
                yield Entry(declaration, judge, extent)


@dataclass(frozen=True, slots=True)
class Tried:
    """A health test and what came of each of its cases."""

    test: HealthTest
    runs: tuple[CaseRun, ...]

    @classmethod
    def of(cls, test: HealthTest) -> Tried:
        """Run all cases of a test."""
        return cls(test, tuple(run_case(test, case) for case in test.cases))
