"""Finds mistakes in a template that do not depend on its inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from celvet.lint.engine.resourceset.renderings import Rendering
from celvet.lint.engine.result import Counts, Crash, FileResult
from celvet.lint.model import Finding, Where
from celvet.lint.rule_ids import (
    CEL_PROGRAM,
    CEL_SYNTAX,
    CEL_TYPE,
    JSONPATH_SYNTAX,
    UNKNOWN_FIELD,
    UNKNOWN_FUNCTION,
    UNKNOWN_VARIABLE,
)
from celvet.lint.rules import on_suppressions
from celvet.record import record, replace

_ABOUT_WORDS = frozenset(
    {
        CEL_PROGRAM,
        CEL_SYNTAX,
        CEL_TYPE,
        JSONPATH_SYNTAX,
        UNKNOWN_FIELD,
        UNKNOWN_FUNCTION,
        UNKNOWN_VARIABLE,
    }
)
"""The rules about single words; others also depend on the text around them."""


@record
class IndependentOutcomes:
    """The outcomes in the renderings of a template, each with the first rendering that has it.

    `clearest` is the result with the most accepted expressions.
    """

    outcomes: tuple[tuple[Finding | Crash, Rendering], ...]
    counts: Counts
    clearest: FileResult


def independent_outcomes(
    texts: Sequence[Rendering], lint: Callable[[Rendering], FileResult], *, everything: bool = False
) -> IndependentOutcomes:
    """The outcomes that do not depend on inputs: all renderings with stand-ins have them.

    An outcome counts if no action writes a part of its text, and if every rendering with that text
    has it. Its text is the check around its place, or only the words if the rule reads nothing
    else. A rendering with nothing new is linted only if it can refute an outcome, or with
    `everything`.
    """
    # Lint the renderings that show a literal part of the template for the first time.
    results: dict[int, FileResult] = {}
    linted_parts: frozenset[int] = frozenset()
    for index, text in enumerate(texts):
        if everything or not results or not text.literal() <= linted_parts:
            linted_parts |= text.literal()
            results[index] = lint(text)
    candidates = {
        (outcome.rule, text.place(outcome.where)): (outcome, text, part)
        for index, result in reversed(results.items())
        for outcome in result.outcomes
        if (part := _template_part(outcome, text := texts[index], result)) is not None
    }

    # Every other rendering with the same part may refute an outcome.
    if candidates:
        results = {index: results.get(index) or lint(text) for index, text in enumerate(texts)}
    keys = {index: _keys(texts[index], result) for index, result in results.items()}
    outcomes = tuple(
        (outcome, text)
        for key, (outcome, text, part) in candidates.items()
        if all(key in keys[index] for index in keys if part in texts[index].literal())
    )
    counts = max((result.counts for result in results.values()), key=lambda counts: counts.objects)
    return IndependentOutcomes(
        outcomes, replace(counts, partly=counts.objects), max(results.values(), key=_count_accepted)
    )


def _count_accepted(result: FileResult) -> int:
    programs = (
        expression.program for checked_object in result.checked for expression in checked_object.cel
    )
    return sum(not program.refusals for program in programs)


def _keys(text: Rendering, result: FileResult) -> set[tuple[str, Where]]:
    """The rule of each outcome, and its place in the file."""
    return {(outcome.rule, text.place(outcome.where)) for outcome in result.outcomes}


def _template_part(outcome: Finding | Crash, text: Rendering, result: FileResult) -> int | None:
    """The part of the template that an outcome is about; None if an action writes some of it.

    It is None for an unused suppression, which another input might use.
    """
    if outcome.rule in on_suppressions():
        return None
    where = outcome.where
    if outcome.rule in _ABOUT_WORDS:
        return text.writes(where)
    checks = [
        place
        for checked_object in result.checked
        for check in checked_object.checks
        if _within(where, place := checked_object.place(check.path))
    ]
    return text.writes(checks[-1] if checks else replace(where, span=None, on_key=False))


def _within(where: Where, check_place: Where) -> bool:
    return (
        where.document == check_place.document
        and where.path[: len(check_place.path)] == check_place.path
    )
