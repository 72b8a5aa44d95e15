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

    `path` leads to the expectation in the test, and `value` is what would have to replace it.
    `step` counts the steps of the case, or the changes of a recording, from 1; it is 0 if there is
    only one.
    """

    what: str
    expected: str
    got: str
    path: Path
    value: Value
    step: int = 0


def differences(expected: Expectation, answer: Answer) -> Iterator[Difference]:
    """The differences of an answer from the expected one."""
    verdict, places = answer.verdict, expected.places
    exact = {
        "verdict": (expected.verdict, verdict.status, _status(verdict)),
        "reason": (expected.reason, verdict.reason, verdict.reason or "none"),
    }
    for what, (wanted, got, shown) in exact.items():
        if wanted not in (None, got):
            yield Difference(what, str(wanted), shown, places[what], got)
    yield from _in_texts(expected, answer)
    for role, result in expected.outcomes.items():
        came = _result_of(answer, role, result)
        if not _same(result, came):
            yield Difference(role, _shown(result), _shown(came), places[role], written(came))


def wait_differences(expected: ExpectedWait, wait: Wait) -> Iterator[Difference]:
    """The differences of a wait from the expected one."""
    verdict, places = wait.verdict, expected.places
    if expected.end not in (None, verdict.end):
        yield Difference("wait", str(expected.end), ended(wait), places["end"], verdict.end)
    if expected.at not in (None, wait.at):
        when = short(wait.at)
        yield Difference("wait at", short(expected.at or wait.at), when, places["at"], when)
    if expected.message is not None and expected.message not in verdict.message:
        wanted = f"a text containing {expected.message!r}"
        got = verdict.message or "none"
        yield Difference("message", wanted, got, places["message"], verdict.message)


def no_wait(expected: ExpectedWait, first: Answer | None) -> Difference:
    """The message for a missing wait: there is none at all, or no further one.

    There is no further one after a success, or if it is unknown when a failed wait is retried.
    """
    got = "no further wait is predicted"
    if first:
        message = first.verdict.message
        got = f"no wait: {first.verdict.status}{f', {message}' if message else ''}"
    return Difference("wait", expected.end or "any", got, expected.path, [])


def ended(wait: Wait) -> str:
    """How and when a wait ends, in words."""
    return f"{wait.verdict.end} at {short(wait.at)}"


def _in_texts(expected: Expectation, answer: Answer) -> Iterator[Difference]:
    """Texts that lack an expected part; the empty part means that there is no text."""
    texts = {
        "message": (expected.message, (answer.verdict.message,)),
        "error": (expected.error, (answer.verdict.error,)),
        "refused": (expected.refused, [each.refusal for each in answer.expressions]),
    }
    for what, (part, given) in texts.items():
        there = [text for text in given if text]
        if part is None or (any(part in text for text in there) if part else not there):
            continue
        wanted = f"a text containing {part!r}" if part else "none"
        got = "; ".join(there) or f"none, but {answer.verdict.status}"
        yield Difference(what, wanted, got, expected.places[what], there[0] if there else "")


def role_value(answer: Answer, role: str) -> ExpectedValue | str:
    """The value of a role, a list for several expressions; the first error if there is one."""
    found = [traces.outcome_document(each) for each in answer.of(role)]
    failed = next((each["error"] for each in found if "error" in each), None)
    if failed is not None:
        return str(failed)
    values = [each["value"] for each in found]
    return ExpectedValue(values if len(values) > 1 else values[0])


def _result_of(answer: Answer, role: str, wanted: _Result) -> _Result:
    """What the expressions of a role give: a value if one is wanted, else whether they hold."""
    if isinstance(wanted, ExpectedValue):
        return role_value(answer, role)
    outcome = answer.outcome(role)
    return outcome.error or bool(outcome.value)


def _same(wanted: _Result, came: _Result) -> bool:
    if isinstance(wanted, str):
        return isinstance(came, str) and wanted in came
    return came == wanted


def written(came: _Result) -> Value:
    """A result as an `expect` has it."""
    if isinstance(came, str):
        return {"error": came}
    return {"value": came.value} if isinstance(came, ExpectedValue) else came


def _status(verdict: Verdict) -> str:
    return f"{verdict.status} ({verdict.error})" if verdict.error else verdict.status


def _shown(value: _Result) -> str:
    if isinstance(value, ExpectedValue):
        return json.dumps(value.value, ensure_ascii=False)
    return f"error: {value}" if isinstance(value, str) else str(value).lower()
