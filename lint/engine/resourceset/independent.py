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

_OF_THE_TEXT = frozenset(
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
class Independent:
    """The outcomes in the renderings of a template, each with the first rendering that has it.

    `clearest` is the result with the most accepted expressions.
    """

    outcomes: tuple[tuple[Finding | Crash, Rendering], ...]
    counts: Counts
    clearest: FileResult


def independent(
    texts: Sequence[Rendering], lint: Callable[[Rendering], FileResult], *, everything: bool = False
) -> Independent:
    """The outcomes that do not depend on inputs: all renderings with stand-ins have them.

    An outcome counts if no action writes a part of its text, and if every rendering with that text
    has it. Its text is the check around its place, or only the words if the rule reads nothing
    else. A rendering with nothing new is linted only if it can refute an outcome, or with
    `everything`.
    """
    results: dict[int, FileResult] = {}
    covered: frozenset[int] = frozenset()
    for index, text in enumerate(texts):
        if everything or not results or not text.literal() <= covered:
            covered |= text.literal()
            results[index] = lint(text)
    found = {
        (each.rule, text.place(each.where)): (each, text, stretch)
        for index, result in reversed(results.items())
        for each in result.outcomes
        if (stretch := _stretch(each, text := texts[index], result)) is not None
    }
    if found:
        results = {index: results.get(index) or lint(text) for index, text in enumerate(texts)}
    seen = {index: _places(texts[index], result) for index, result in results.items()}
    kept = tuple(
        (each, text)
        for key, (each, text, stretch) in found.items()
        if all(key in seen[index] for index in seen if stretch in texts[index].literal())
    )
    counts = max((each.counts for each in results.values()), key=lambda each: each.objects)
    return Independent(
        kept, replace(counts, partly=counts.objects), max(results.values(), key=_accepted)
    )


def _accepted(result: FileResult) -> int:
    programs = (each.program for checked in result.checked for each in checked.cel)
    return sum(not program.refusals for program in programs)


def _places(text: Rendering, result: FileResult) -> set[tuple[str, Where]]:
    return {(each.rule, text.place(each.where)) for each in result.outcomes}


def _stretch(outcome: Finding | Crash, text: Rendering, result: FileResult) -> int | None:
    """The part of the template that an outcome is about; None if an action writes some of it.

    It is None for an unused suppression, which another input might use.
    """
    if outcome.rule in on_suppressions():
        return None
    where = outcome.where
    if outcome.rule in _OF_THE_TEXT:
        return text.writes(where)
    checks = [
        place
        for checked in result.checked
        for check in checked.checks
        if _within(where, place := checked.place(check.path))
    ]
    return text.writes(checks[-1] if checks else replace(where, span=None, on_key=False))


def _within(where: Where, around: Where) -> bool:
    return where.document == around.document and where.path[: len(around.path)] == around.path
