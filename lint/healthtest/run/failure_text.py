"""Explains why a step failed, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer, ExpressionAnswer
from celvet.lint.healthtest.run.run import CaseRun


def explanation(run: CaseRun) -> Iterator[str]:
    """What decided in the first wrong step; nothing if there is none."""
    if run.deciding is None:
        return
    verdict = run.deciding.verdict
    for what, text in (("reason", verdict.reason), ("message", verdict.message)):
        if text and text != verdict.error:
            yield f"{what}: {text}"
    for given in deciding(run.deciding):
        trace = run.deciding.trace(given.expression)
        if trace is not None:
            yield f"{given.expression.role}:"
            yield from traces.lines(trace)


def deciding(answer: Answer) -> list[ExpressionAnswer]:
    """The expression that decided the verdict, or all if none did."""
    cause = answer.verdict.cause
    named = [given for given in answer.expressions if cause and given.expression.path == cause.path]
    return named or list(answer.expressions)
