"""What in an answer is not as a test expects it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from celvet.lint.controllers.verdict import Verdict
from celvet.lint.healthtest.model import Expectation
from celvet.lint.healthtest.run.answer import Answer
from celvet.lint.model import Path, Value


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected.

    `path` leads to what the test says of it, and `value` is what would have to
    stand there instead. `step` counts the steps of the case, or the changes of a
    recording, from 1; it is 0 if there is only one.
    """

    what: str
    expected: str
    got: str
    path: Path
    value: Value
    step: int = 0


def differences(expected: Expectation, answer: Answer) -> Iterator[Difference]:
    """What in an answer is not as expected."""
    verdict, places = answer.verdict, expected.places
    exact = {
        "verdict": (expected.verdict, verdict.status, _status(verdict)),
        "reason": (expected.reason, verdict.reason, verdict.reason or "none"),
    }
    for what, (wanted, got, shown) in exact.items():
        if wanted not in (None, got):
            yield Difference(what, str(wanted), shown, places[what], got)
    yield from _in_texts(expected, answer)
    outcomes = {each.expression.role: each.outcome.boolean() for each in answer.expressions}
    for role, value in expected.outcomes.items():
        came = outcomes[role].error or outcomes[role].value
        if not _same(value, came):
            written = {"error": came} if isinstance(came, str) else came
            yield Difference(role, _shown(value), _shown(came), places[role], written)


def _in_texts(expected: Expectation, answer: Answer) -> Iterator[Difference]:
    """Texts that lack a part; the empty part stands for no text at all."""
    texts = {
        "message": (expected.message, (answer.verdict.message,)),
        "error": (expected.error, (answer.verdict.error,)),
        "refused": (expected.refused, [each.refusal for each in answer.expressions]),
    }
    for what, (part, given) in texts.items():
        there = [text for text in given if text]
        if part is None or (any(part in text for text in there) if part else not there):
            continue
        wanted = f"a text with {part!r}" if part else "none"
        got = "; ".join(there) or f"none, but {answer.verdict.status}"
        yield Difference(what, wanted, got, expected.places[what], there[0] if there else "")


def _same(wanted: bool | str, came: bool | str) -> bool:
    if isinstance(wanted, str):
        return isinstance(came, str) and wanted in came
    return came is wanted


def _status(verdict: Verdict) -> str:
    return f"{verdict.status} ({verdict.error})" if verdict.error else verdict.status


def _shown(value: bool | str) -> str:
    return f"error: {value}" if isinstance(value, str) else str(value).lower()
