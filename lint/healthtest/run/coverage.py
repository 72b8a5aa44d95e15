"""Coverage: the outcomes of expressions that the tests have seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from celvet.lint.cel import Compiled, ConditionCoverage, Coverage
from celvet.lint.cel.syntax.tree import Node
from celvet.lint.checks import AnyExpression
from celvet.lint.healthtest.health_test import Target
from celvet.lint.healthtest.run.answer import Answer
from celvet.lint.locate import LineRange, Locator
from celvet.lint.model import Span, field_path
from celvet.record import record


@record
class Covered:
    """One expression of a declaration and the outcomes that its conditions had.

    `name` is the object and the field. `places` has for each condition, by its
    span, where it begins and the line of the file that it begins on.
    """

    file: str
    name: str
    line: int
    text: str
    coverage: Coverage
    places: Mapping[Span, tuple[LineRange, str]]

    def missing(self) -> Iterator[tuple[ConditionCoverage, LineRange, str]]:
        """The conditions that were never true or never false, with place and line."""
        for condition in self.coverage.uncovered_conditions:
            yield (condition, *self.places[condition.span])


def covered(target: Target, answers: Iterable[Answer]) -> list[Covered]:
    """The coverage of each expression by these answers of a target's evaluator."""
    answer_list = list(answers)
    locator = Locator(target.manifest)
    return [
        _covered(
            target, locator, expression, _seen(expression.program.tree, expression, answer_list)
        )
        for expression in target.evaluator.expressions
        if isinstance(expression.program, Compiled) and expression.program.tree
    ]


def _seen(root: Node, expression: AnyExpression, given: list[Answer]) -> Coverage:
    coverage = Coverage(root)
    for answer in given:
        if trace := answer.trace(expression):
            coverage.add(trace)
    return coverage


def _covered(
    target: Target, locator: Locator, expression: AnyExpression, coverage: Coverage
) -> Covered:
    def place(span: Span | None) -> LineRange:
        return locator.place(target.place(expression.path, span))

    spots = {condition.span: place(condition.span) for condition in coverage.conditions}
    places = {span: (spot, locator.source_line(spot.line)) for span, spot in spots.items()}
    reference = target.object
    name = f"{reference.kind} {reference.name} {field_path(expression.path)}"
    return Covered(target.file, name, place(None).line, expression.program.text, coverage, places)


def merged(all_: Iterable[Covered]) -> list[Covered]:
    """Each expression once, with the coverage by all its tests, by file and line."""
    expressions: dict[tuple[str, str, str], Covered] = {}
    for expression in all_:
        first_run = expressions.setdefault(
            (expression.file, expression.name, expression.text), expression
        )
        if first_run is not expression:
            first_run.coverage.merge(expression.coverage)
    return sorted(expressions.values(), key=lambda expression: (expression.file, expression.line))


def percent(all_: Iterable[Covered]) -> float:
    """The percentage of wanted outcomes, two for each condition, that occurred."""
    conditions = [condition for expression in all_ for condition in expression.coverage.conditions]
    if not conditions:
        return 100.0
    missing = sum(len(condition.missing) for condition in conditions)
    return 100 - 50 * missing / len(conditions)
