"""Compares answers with a test's expectations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeAlias

from celvet.lint.checks.timing import short
from celvet.lint.healthtest.health_test import Expectation, ExpectedValue, ExpectedWait
from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.answer import Answer
from celvet.lint.model import Path, Value
from celvet.lint.verdicts.rollout import Wait
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record

_Result: TypeAlias = bool | ExpectedValue | str
"""Whether an expression holds, its value, or its error."""


@record
class Difference:
    """One thing that is not as expected.

    `path` leads to the expectation in the test, and `value` is what would have to replace it; the
    path is None if the test has no place for it.
    `step` counts the steps of the case, or the changes of a recording, from 1; it is 0 if there is
    only one.
    """

    subject: str
    expectation: str
    result: str
    path: Path | None
    value: Value
    step: int = 0


def differences(expected: Expectation, answer: Answer) -> Iterator[Difference]:
    """The differences of an answer from the expected one."""
    verdict, places = answer.verdict, expected.places
    exact = {
        "verdict": (expected.verdict, verdict.status, _status(verdict)),
        "reason": (expected.reason, verdict.reason, verdict.reason or "none"),
        "message": (expected.whole_message, verdict.message, verdict.message or "none"),
    }
    for subject, (wanted_text, actual_text, words) in exact.items():
        if wanted_text not in (None, actual_text):
            yield Difference(
                subject, wanted_text or "none", words, places.get(subject), actual_text
            )
    yield from _text_differences(expected, answer)
    for role, result in expected.outcomes.items():
        actual_result = _result_of(answer, role, result)
        if not _agrees(result, actual_result):
            yield Difference(
                role,
                _words(result),
                _words(actual_result),
                places[role],
                expect_value(actual_result),
            )


def wait_differences(expected: ExpectedWait, wait: Wait) -> Iterator[Difference]:
    """The differences of a wait from the expected one."""
    verdict, places = wait.verdict, expected.places
    if expected.end not in (None, verdict.end):
        yield Difference("wait", str(expected.end), end_words(wait), places["end"], verdict.end)
    if expected.at not in (None, wait.at):
        when = short(wait.at)
        yield Difference("wait at", short(expected.at or wait.at), when, places["at"], when)
    if expected.message is not None and expected.message not in verdict.message:
        words = f"a text containing {expected.message!r}"
        got = verdict.message or "none"
        yield Difference("message", words, got, places["message"], verdict.message)


def no_wait(expected: ExpectedWait, first: Answer | None) -> Difference:
    """The message for a missing wait: there is none at all, or no further one.

    There is no further one after a success, or if it is unknown when a failed wait is retried.
    """
    got = "no further wait is predicted"
    if first:
        message = first.verdict.message
        got = f"no wait: {first.verdict.status}{f', {message}' if message else ''}"
    return Difference("wait", expected.end or "any", got, expected.path, [])


def end_words(wait: Wait) -> str:
    """How and when a wait ends, in words."""
    return f"{wait.verdict.end} at {short(wait.at)}"


def _text_differences(expected: Expectation, answer: Answer) -> Iterator[Difference]:
    """Texts that lack an expected part; the empty part means that there is no text."""
    texts = {
        "message": (expected.message, (answer.verdict.message,)),
        "error": (expected.error, (answer.verdict.error,)),
        "refused": (expected.refused, [item.refusal for item in answer.expressions]),
    }
    for subject, (part, candidates) in texts.items():
        actual_texts = [text for text in candidates if text]
        if part is None or (
            any(part in text for text in actual_texts) if part else not actual_texts
        ):
            continue
        words = f"a text containing {part!r}" if part else "none"
        got = "; ".join(actual_texts) or f"none, but {answer.verdict.status}"
        value = actual_texts[0] if actual_texts else ""
        yield Difference(subject, words, got, expected.places.get(subject), value)


def role_value(answer: Answer, role: str) -> ExpectedValue | str:
    """The value of a role, a list for several expressions; the first error if there is one."""
    documents = [traces.outcome_document(expression) for expression in answer.of(role)]
    error = next((document["error"] for document in documents if "error" in document), None)
    if error is not None:
        return str(error)
    values = [document["value"] for document in documents]
    return ExpectedValue(values if len(values) > 1 else values[0])


def _result_of(answer: Answer, role: str, expectation: _Result) -> _Result:
    """What the expressions of a role give: a value if one is wanted, else whether they hold."""
    if isinstance(expectation, ExpectedValue):
        return role_value(answer, role)
    outcome = answer.outcome(role)
    return outcome.error or bool(outcome.value)


def _agrees(expectation: _Result, result: _Result) -> bool:
    if isinstance(expectation, str):
        return isinstance(result, str) and expectation in result
    return result == expectation


def expect_value(result: _Result) -> Value:
    """A result as an `expect` has it."""
    if isinstance(result, str):
        return {"error": result}
    return {"value": result.value} if isinstance(result, ExpectedValue) else result


def _status(verdict: Verdict) -> str:
    return f"{verdict.status} ({verdict.error})" if verdict.error else verdict.status


def _words(value: _Result) -> str:
    if isinstance(value, ExpectedValue):
        return json.dumps(value.value, ensure_ascii=False)
    return f"error: {value}" if isinstance(value, str) else str(value).lower()
