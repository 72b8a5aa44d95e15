"""The kinds whose objects may take minutes until they are ready."""

from __future__ import annotations

from datetime import timedelta
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from celvet.lint.go.durations import duration

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
