"""Old sins deny nothing: only what an update adds may."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from webhook.objection import Objection

_INDEX = re.compile(r"\[\d+\]")


def added(new: Iterable[Objection], old: Iterable[Objection]) -> set[Objection]:
    """The objections to the new object that the old one did not have.

    Those in the same place are the same. Others may have moved: elements of lists
    do when more are put before them, so that the index counts for nothing then.
    """
    before = Counter(map(_exactly, old))
    moved = _beyond(new, before, _exactly)
    left: Counter[tuple[str, str, str]] = Counter()
    for (rule, field, message), count in before.items():
        left[rule, _INDEX.sub("[]", field), message] += count
    return set(_beyond(moved, left, _roughly))


def _beyond(
    objections: Iterable[Objection],
    known: Counter[tuple[str, str, str]],
    identity: Callable[[Objection], tuple[str, str, str]],
) -> list[Objection]:
    """The objections that are not among the known, which are used up."""
    found = []
    for each in objections:
        if known[identity(each)] > 0:
            known[identity(each)] -= 1
        else:
            found.append(each)
    return found


def _exactly(objection: Objection) -> tuple[str, str, str]:
    return objection.rule, objection.field, objection.message


def _roughly(objection: Objection) -> tuple[str, str, str]:
    return objection.rule, _INDEX.sub("[]", objection.field), objection.message
