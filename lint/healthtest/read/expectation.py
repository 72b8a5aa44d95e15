"""What a test expects of a step, as it is written, and as it is held against the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from celvet.lint.cel import Compiled
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.controllers.verdict import STATUSES, Verdict
from celvet.lint.healthtest.model import Expectation, Unusable
from celvet.lint.healthtest.run.answer import Answer
from celvet.lint.model import Path, Value
from celvet.lint.similar import similar

_TEXTS = ("verdict", "reason", "message", "error", "refused")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that is not as expected.

    `path` leads to what the test says of it, and `value` is what would have to
    stand there instead.
    """

    what: str
    expected: str
    got: str
    path: Path
    value: Value


def expectation(given: Value, path: Path, evaluator: Evaluator) -> Expectation:
    """What a test writes as `expect`; raises `Unusable` for what can never come."""
    parts: Mapping[str, Value] = {"verdict": given} if isinstance(given, str) else given
    places = {key: path if parts is not given else (*path, key) for key in parts}
    roles = {
        expression.role
        for expression in evaluator.expressions
        if isinstance(expression.program, Compiled)
    }
    for key in parts:
        _assure_known("key", key, [*_TEXTS, *sorted(roles)], places[key])
    for key in parts.keys() & set(_TEXTS):
        _assure_text(parts[key], places[key])
    if "verdict" in parts:
        _assure_known("verdict", parts["verdict"], STATUSES, places["verdict"])
    texts = {key: parts.get(key) for key in _TEXTS}
    outcomes = {role: _outcome(parts[role], places[role]) for role in roles & parts.keys()}
    return Expectation(path, places, **texts, outcomes=outcomes)


def mismatches(expected: Expectation, answer: Answer) -> Iterator[Mismatch]:
    """What in an answer is not as expected."""
    verdict, places = answer.verdict, expected.places
    exact = {
        "verdict": (expected.verdict, verdict.status, _status(verdict)),
        "reason": (expected.reason, verdict.reason, verdict.reason or "none"),
    }
    for what, (wanted, got, shown) in exact.items():
        if wanted not in (None, got):
            yield Mismatch(what, str(wanted), shown, places[what], got)
    yield from _in_texts(expected, answer)
    outcomes = {each.expression.role: each.outcome.boolean() for each in answer.asked}
    for role, value in expected.outcomes.items():
        came = outcomes[role].error or outcomes[role].value
        if not _same(value, came):
            written = {"error": came} if isinstance(came, str) else came
            yield Mismatch(role, _shown(value), _shown(came), places[role], written)


def _in_texts(expected: Expectation, answer: Answer) -> Iterator[Mismatch]:
    """Texts that lack a part; the empty part stands for no text at all."""
    texts = {
        "message": (expected.message, (answer.verdict.message,)),
        "error": (expected.error, (answer.verdict.error,)),
        "refused": (expected.refused, [each.refusal for each in answer.asked]),
    }
    for what, (part, given) in texts.items():
        there = [text for text in given if text]
        if part is None or (any(part in text for text in there) if part else not there):
            continue
        wanted = f"a text with {part!r}" if part else "none"
        got = "; ".join(there) or f"none, but {answer.verdict.status}"
        yield Mismatch(what, wanted, got, expected.places[what], there[0] if there else "")


def _same(wanted: bool | str, came: bool | str) -> bool:
    if isinstance(wanted, str):
        return isinstance(came, str) and wanted in came
    return came is wanted


def _status(verdict: Verdict) -> str:
    return f"{verdict.status} ({verdict.error})" if verdict.error else verdict.status


def _shown(value: bool | str) -> str:
    return f"error: {value}" if isinstance(value, str) else str(value).lower()


def _outcome(given: Value, path: Path) -> bool | str:
    """`true`, `false`, or `{error: text}`."""
    if isinstance(given, bool):
        return given
    if isinstance(given, Mapping) and given.keys() == {"error"}:
        _assure_text(given["error"], (*path, "error"))
        return str(given["error"])
    what = f"`{path[-1]}` is neither true, nor false, nor an error"
    raise Unusable(what, path, "Write `true`, `false` or `{error: text}`.")


def _assure_text(value: Value, path: Path) -> None:
    if not isinstance(value, str):
        raise Unusable(f"`{path[-1]}` is no text", path, "Put the value in quotes.")


def _assure_known(what: str, given: str, known: Sequence[str], path: Path) -> None:
    if given in known:
        return
    near = similar(given, known)
    listed = ", ".join(f"`{name}`" for name in known)
    help_ = f"Write `{near}`." if near else f"Write one of {listed}."
    raise Unusable(f"there is no {what} `{given}`", path, help_)
