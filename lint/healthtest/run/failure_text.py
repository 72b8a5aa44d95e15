"""Tells how an answer came about, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer, Asked
from celvet.lint.healthtest.run.run import CaseRun


def explanation(run: CaseRun) -> Iterator[str]:
    """What decided in the step that went wrong; nothing where none did."""
    if run.deciding is None:
        return
    verdict = run.deciding.verdict
    for what, text in (("reason", verdict.reason), ("message", verdict.message)):
        if text and text != verdict.error:
            yield f"{what}: {text}"
    for asked in deciding(run.deciding):
        trace = run.deciding.trace(asked.expression)
        if trace is not None:
            yield f"{asked.expression.role}:"
            yield from traces.lines(trace)


def deciding(answer: Answer) -> list[Asked]:
    """What the verdict rests on: the text that decided, or where none did all of them."""
    cause = answer.verdict.cause
    named = [asked for asked in answer.asked if cause and asked.expression.path == cause.path]
    return named or list(answer.asked)
