"""The answer of our engine to one vector, in the words of the vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Vector = Mapping[str, Any]

NOT_ANALYSED = "not analysed"
"""For texts beyond the limits of celvet, but not of the controller."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Refused or answered; `extra` holds further keys of `want` that must agree.

    `at` is the line and column, both from 1, of a syntax error.
    """

    ok: bool
    result: Any = None
    message: str = ""
    at: tuple[int, int] | None = None
    extra: Mapping[str, Any] | None = None


Mode = Callable[[Vector, Any], Answer]
"""Answers a vector; the second argument is its object, looked up by name."""


def cel_go(vector: Vector) -> str:
    """The version of cel-go that answered."""
    return str(vector.get("celGo", "0.26.1"))


def agrees(vector: Vector, answer: Answer) -> bool:
    """Whether the answer is the recorded one: `ok`, and then the result and `extra`."""
    want = vector["want"]
    if answer.ok != want["ok"]:
        return False
    if not answer.ok:
        return True
    same = _same(want, "result", answer.result)
    return same and all(_same(want, key, value) for key, value in (answer.extra or {}).items())


def _same(want: Mapping[str, Any], key: str, value: Any) -> bool:
    if key not in want:
        return True
    wanted = want[key]
    if want.get("unordered"):
        return _sorted(wanted) == _sorted(value)
    return _typed(wanted) == _typed(value)


def _sorted(value: Any) -> Any:
    """Without the order of results, which client-go leaves undefined over a map."""
    if isinstance(value, str):
        return sorted(value.split())
    return sorted((sorted(map(repr, group)) for group in value), key=repr)


def _typed(value: Any) -> Any:
    """Distinguishes `True` from `1`, which are equal in Python."""
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    return (isinstance(value, bool), value)
