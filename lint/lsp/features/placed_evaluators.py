"""The evaluators of a document, where they are, and the health tests for them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.healthtest.health_test import HealthTest
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.model import ObjectRef, Span
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.record import record, replace


@record
class PlacedEvaluator:
    """An evaluator of an object, and where its part is written."""

    part: PlacedAnalysis
    checked_object: CheckedObject
    evaluator: Evaluator

    @property
    def extent(self) -> Span:
        """The offsets of its part of the file."""
        return self.part.extent(self.checked_object.place(self.evaluator.path))

    def tests_among(self, tests: Iterable[HealthTest]) -> Iterator[HealthTest]:
        """The tests that target it, changed to evaluate its present text."""
        for test in tests:
            target = test.target
            is_same = target.object == self.checked_object.object
            if is_same and target.evaluator.title == self.evaluator.title:
                yield replace(test, target=replace(target, evaluator=self.evaluator))


def placed_evaluators(
    part: PlacedAnalysis, objects: Container[ObjectRef] | None = None
) -> Iterator[PlacedEvaluator]:
    """The evaluators of a document, in its order, or those of some objects; a patch has none."""
    for obj in part.analysis.result.checked:
        if not obj.partial and (objects is None or obj.object in objects):
            for evaluator in evaluators(obj):
                if evaluator.path:
                    yield PlacedEvaluator(part, obj, evaluator)
