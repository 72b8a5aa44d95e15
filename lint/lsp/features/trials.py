"""A check at a place of a file: its page, the objects to try it on, and its verdict on one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.explain.page import Page
from celvet.lint.explain.pages import pages
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.run.answer import answer
from celvet.lint.healthtest.run.evaluation import Evaluation
from celvet.lint.healthtest.run.verdict_output import as_text
from celvet.lint.lsp.state.analysis import Analysis, PlacedAnalysis
from celvet.lint.model import Span, Value
from celvet.lint.safe_text import yaml_text
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.record import record, replace


@record
class PlacedCheck:
    """A check with expressions, and where it is written."""

    part: PlacedAnalysis
    checked_object: CheckedObject
    check: Check

    @property
    def extent(self) -> Span:
        """The offsets of its part of the file."""
        return self.part.extent(self.checked_object.place(self.check.path))

    def page(self) -> Page | None:
        """The page of the check, as `celvet explain` shows it."""
        return next(check_pages_of(self.part.analysis, self.checked_object, self.check), None)

    def states(self) -> list[tuple[str, str]]:
        """Objects to try: the states of the kind's life, or examples, each with its YAML."""
        page = self.page()
        lines = (*page.life, *page.lines) if page else ()
        return [(line.description, yaml_text(line.object, allow_unicode=True)) for line in lines]

    def judgement(self, text: str) -> str:
        """The verdict on the object in a text, with the trace of each expression, or why none."""
        evaluator = self._evaluator()
        try:
            objects = self._fixtures().objects(text.encode("utf-8", "replace"), "the object")
        except UnusableTestError as error:
            return f"{error}\n"
        if len(objects) != 1:
            return f"there are {len(objects)} objects; give one\n"
        if evaluator is None or not evaluator.applies(objects[0]):
            return f"the check is not about an object of this kind: {_kind(objects[0])}\n"
        cluster = ClusterState(objects=objects, now=datetime.now(UTC))
        evaluation = Evaluation(self.checked_object.object, answer(evaluator, cluster))
        return as_text([evaluation], trace=True)

    def _evaluator(self) -> Evaluator | None:
        """The evaluator of its expressions."""
        paths = {expression.path for expression in self.check.expressions}
        candidates = evaluators(self.checked_object)
        deciders = (item for item in candidates if paths & {part.path for part in item.expressions})
        return next(deciders, None)

    def _fixtures(self) -> Fixtures:
        return Fixtures(Path(), {}, self.part.analysis.settings.catalog)


def _kind(obj: Value) -> str:
    return str(obj.get("kind", "none")) if isinstance(obj, dict) else "none"


def check_pages_of(analysis: Analysis, obj: CheckedObject, check: Check) -> Iterator[Page]:
    """The pages of one check, since each costs as much; without its line within the document."""
    alone = replace(obj, checks=(check,))
    result = replace(analysis.result, checked=(alone,))
    return (replace(page, place="") for page in pages(result))


def placed_checks(part: PlacedAnalysis) -> Iterator[PlacedCheck]:
    """The checks of a document, in its order; a patch has none."""
    for obj in part.analysis.result.checked:
        for check in () if obj.partial else obj.checks:
            if check.expressions:
                yield PlacedCheck(part, obj, check)


def check_at(part: PlacedAnalysis, offset: int) -> PlacedCheck | None:
    """The check around an offset of the file."""
    checks = (check for check in placed_checks(part) if check.extent.start <= offset)
    return next((check for check in checks if offset <= check.extent.end), None)
