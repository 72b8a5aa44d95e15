"""The kinds whose objects are ready some time after they are applied."""

from __future__ import annotations

from datetime import timedelta
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from celvet.lint.go.durations import duration
from celvet.schemas import kind_facts
from celvet.schemas.kind_files import BUILT_IN_GROUPS

if TYPE_CHECKING:
    from celvet.lint.checks import CheckedObject
    from celvet.lint.model import GroupKind
    from celvet.schemas.applier import Applier


def usual_time(kind: GroupKind, checked: CheckedObject, by: Applier) -> timedelta:
    """The time that an object of a kind may take; zero if it is not known to be slow."""
    name = f"{kind.group}/{kind.kind}"
    time = next((time for pattern, time in by.slow.items() if fnmatchcase(name, pattern)), None)
    if time is None and "." in kind.group:
        definer = checked.definer_of(kind)
        time = by.slow_defined.get(f"{definer.group}/{definer.kind}") if definer else None
    return duration(time or "0s") or timedelta()


def stages_before_ready(kind: GroupKind, checked: CheckedObject) -> frozenset[str]:
    """The stages in which, by the catalogue, a new object of a kind is not ready yet.

    None of kinds that nobody has to wait for (`minor`), nor of those of Kubernetes: the data of an
    applier names those of them that run something.
    """
    facts = kind_facts(*kind, checked.directories)
    if facts is None or kind.group in BUILT_IN_GROUPS or facts.content["kstatus"].get("minor"):
        return frozenset()
    stages = frozenset(state.stage for state in facts.life if state.verdict == "InProgress")
    return stages & {"fresh", "coming"}
