"""The evaluators of a document, where they stand, and the health tests for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.healthtest.model import HealthTest
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.model import Span
from celvet.record import record, replace


@record
class PlacedEvaluator:
    """An evaluator of an object, and the offsets of its part of the file."""

    checked: CheckedObject
    evaluator: Evaluator
    extent: Span

    def tested_by(self, tests: Iterable[HealthTest]) -> Iterator[HealthTest]:
        """The tests that target it, changed to evaluate it as it is now."""
        for test in tests:
            target = test.target
            same = target.object == self.checked.object
            if same and target.evaluator.title == self.evaluator.title:
                yield replace(test, target=replace(target, evaluator=self.evaluator))


def placed_evaluators(placed: PlacedAnalysis) -> Iterator[PlacedEvaluator]:
    """The evaluators of a document, in its order; a patch has none."""
    for checked in placed.analysis.result.checked:
        for evaluator in () if checked.partial else evaluators(checked):
            if evaluator.path:
                extent = placed.extent(checked.place(evaluator.path))
                yield PlacedEvaluator(checked, evaluator, extent)
