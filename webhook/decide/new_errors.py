"""Old sins deny nothing: only what an update adds may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from celvet.webhook.lint_result import Objection

_Key: TypeAlias = tuple[str, str]


def added(new: Iterable[Objection], old: Iterable[Objection]) -> set[Objection]:
    """The objections to the new object that the old one did not have.

    Those of one identity are interchangeable: as many are new as there are more. Those
    in the places of old ones are the old ones.
    """
    before = Counter(map(_placed, old))
    moved = _beyond(new, before, _placed)
    left: Counter[_Key] = Counter()
    for (identity, _), count in before.items():
        left[identity, ""] += count
    return set(_beyond(moved, left, _anywhere))


def _beyond(
    objections: Iterable[Objection], known: Counter[_Key], key: Callable[[Objection], _Key]
) -> list[Objection]:
    """The objections that are not among the known, which are used up."""
    found = []
    for each in objections:
        if known[key(each)] > 0:
            known[key(each)] -= 1
        else:
            found.append(each)
    return found


def _placed(objection: Objection) -> _Key:
    return objection.identity, objection.field


def _anywhere(objection: Objection) -> _Key:
    return objection.identity, ""
