"""Reads what a test expects of a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from celvet.lint.cel import Compiled
from celvet.lint.go.durations import duration
from celvet.lint.healthtest.model import Expectation, UnusableTestError
from celvet.lint.model import Path, Value
from celvet.lint.similar import similar
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.verdict import STATUSES, VOCABULARIES

_TEXTS = ("verdict", "reason", "message", "error", "refused")


def expectation(given: Value, path: Path, evaluator: Evaluator) -> Expectation:
    """The expectation of an `expect`; raises `UnusableTestError` for one that can never be met."""
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
        _assure_known("verdict", parts["verdict"], _words(evaluator), places["verdict"])
    texts = {key: parts.get(key) for key in _TEXTS}
    outcomes = {role: _outcome(parts[role], places[role]) for role in roles & parts.keys()}
    return Expectation(path, places, **texts, outcomes=outcomes)


def listed(given: Mapping[str, Value], key: str, path: Path) -> Iterator[tuple[Value, Path]]:
    """The values under a key with their places: the items of a list, the value, or nothing."""
    value, place = given.get(key, []), (*path, key)
    if not isinstance(value, list):
        yield value, place
        return
    yield from ((item, (*place, at)) for at, item in enumerate(value))


def span(text: Value, path: Path) -> timedelta:
    """A span of time as Go writes it; raises `UnusableTestError` for anything else."""
    found = duration(text)
    if found is None or found < timedelta():
        help_ = "Write it as Go does, as in `90s` or `1h30m`."
        raise UnusableTestError(f"`{text}` is no span of time", path, help_)
    return found


def _words(evaluator: Evaluator) -> Sequence[str]:
    """The verdicts of the evaluator's system, including those that it never gives itself."""
    own = set(evaluator.statuses)
    fitting = [words for words in VOCABULARIES if own <= set(words)]
    return fitting[0] if len(fitting) == 1 else STATUSES


def _outcome(given: Value, path: Path) -> bool | str:
    """`true`, `false`, or `{error: text}`."""
    if isinstance(given, bool):
        return given
    if isinstance(given, Mapping) and given.keys() == {"error"}:
        _assure_text(given["error"], (*path, "error"))
        return str(given["error"])
    what = f"`{path[-1]}` is neither true, nor false, nor an error"
    raise UnusableTestError(what, path, "Write `true`, `false` or `{error: text}`.")


def _assure_text(value: Value, path: Path) -> None:
    if not isinstance(value, str):
        raise UnusableTestError(f"`{path[-1]}` is no text", path, "Put the value in quotes.")


def _assure_known(what: str, given: str, known: Sequence[str], path: Path) -> None:
    if given in known:
        return
    near = similar(given, known)
    listed = ", ".join(f"`{name}`" for name in known)
    help_ = f"Write `{near}`." if near else f"Write one of {listed}."
    raise UnusableTestError(f"there is no {what} `{given}`", path, help_)
