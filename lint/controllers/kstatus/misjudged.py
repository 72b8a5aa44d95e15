"""The kinds that kstatus misjudges, as their files in the catalogue prove."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from celvet.lint.controllers.kstatus.reading import read
from celvet.lint.model import GroupKind
from celvet.schemas import KindFacts, kind_facts
from celvet.schemas.facts import LifeState
from celvet.schemas.kind_files import BUILT_IN_GROUPS


def existence_only(kind: GroupKind, directories: Sequence[Path]) -> bool:
    """Whether kstatus counts a kind as ready in each state of its life, and is wrong about it.

    False if older releases of the controller write no status: an entry would be no better.
    `directories` are the user's schema directories. Nothing is claimed about a kind without facts.
    """
    facts = kind_facts(kind.group, kind.kind, directories)
    return facts is not None and _has_entry(facts) and _is_always_current(facts)


def ready_too_early(facts: KindFacts) -> LifeState | None:
    """The first state in which kstatus counts an object as ready that is still coming up.

    Preferred is one in which its controller has looked at it already. None if an entry would be no
    better, and of kinds that are built in.
    """
    if facts.group in BUILT_IN_GROUPS or not _has_entry(facts):
        return None
    early = _early(facts)
    coming = (state for state in early if state.object.get("status") and state.evidence)
    return next(coming, next(iter(early), None))


def sees_progress(kind: GroupKind, directories: Sequence[Path]) -> bool:
    """Whether kstatus waits for an object in some state on its way up, and is wrong before that."""
    facts = kind_facts(kind.group, kind.kind, directories)
    coming = [state for state in facts.life if state.stage == "coming"] if facts else []
    return not all(_is_current(state, facts) for state in coming if facts)


def is_awaited(facts: KindFacts) -> bool:
    """Whether those who depend on a misjudged object start while it is still coming up.

    Other kinds are ready within a moment, or never, or nobody needs them ready (`minor`). Of those
    that somebody has to wait for, a controller writes a status on the way; a flag that is false
    counts, an empty list does not.
    """
    if facts.content["kstatus"].get("minor"):
        return False
    statuses = (state.object.get("status", {}) for state in _early(facts))
    return any(value or value is False for status in statuses for value in status.values())


def _has_entry(facts: KindFacts) -> bool:
    return bool(facts.entry) and facts.fits_all_releases


@cache
def _is_always_current(facts: KindFacts) -> bool:
    return all(_is_current(state, facts) for state in facts.life)


@cache
def _early(facts: KindFacts) -> tuple[LifeState, ...]:
    early = (state for state in facts.life if state.stage in ("fresh", "coming"))
    return tuple(state for state in early if _is_current(state, facts))


def _is_current(state: LifeState, facts: KindFacts) -> bool:
    names = {"apiVersion": f"{facts.group}/v1".lstrip("/"), "kind": facts.kind}
    return read({**names, **state.object}).status == "Current"
