"""Reads how a test expects the waits of a controller to end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from celvet.lint.checks.clock import short
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.controllers.rollout import MOST_LOOKS
from celvet.lint.healthtest.model import ExpectedWait, UnusableTestError
from celvet.lint.healthtest.read.expectation import listed, span
from celvet.lint.model import Path, Value


def expected_waits(
    given: Mapping[str, Value], path: Path, evaluator: Evaluator
) -> tuple[ExpectedWait, ...]:
    """The waits that a case names; raises `UnusableTestError` where there can be none."""
    found = tuple(_expected(item, place) for item, place in listed(given, "wait", path))
    if found:
        _assure_waiting(evaluator, (*path, "wait"))
    return found


def longest(found: Sequence[ExpectedWait], evaluator: Evaluator) -> Iterator[timedelta]:
    """How long waits can take at most, each with the time until the next."""
    for _ in found:
        yield from filter(None, (evaluator.clock.timeout, evaluator.clock.retry))


def _expected(given: Value, path: Path) -> ExpectedWait:
    parts: Mapping[str, Value] = {"end": given} if isinstance(given, str) else given
    places = {key: path if parts is not given else (*path, key) for key in parts}
    at = span(parts["at"], places["at"]) if "at" in parts else None
    return ExpectedWait(path, places, parts.get("end"), at, parts.get("message"))


def _assure_waiting(evaluator: Evaluator, path: Path) -> None:
    clock = evaluator.clock
    if clock.look is None or clock.timeout is None:
        raise UnusableTestError(f"no controller waits for `{evaluator.title}`", path)
    if clock.timeout > MOST_LOOKS * clock.look:
        what = f"the timeout of {short(clock.timeout)} is too long to be followed"
        most = short(MOST_LOOKS * clock.look)
        raise UnusableTestError(what, path, f"Set a `timeout` of {most} at most.")
