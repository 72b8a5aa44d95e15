"""The kinds whose status kstatus does not understand: an object is ready once it exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from celvet.lint.controllers.kstatus.reading import read
from celvet.lint.model import GroupKind
from celvet.schemas import KindFacts, kind_facts


def existence_only(kind: GroupKind, directories: Sequence[Path]) -> bool:
    """Whether kstatus counts a kind as ready in each state of its life, and is wrong about it.

    False if older releases of the controller write no status: an entry would be no better.
    `directories` are the user's schema directories. Nothing is claimed about a kind without facts.
    """
    facts = kind_facts(kind.group, kind.kind, directories)
    return facts is not None and _is_always_current(facts)


@cache
def _is_always_current(facts: KindFacts) -> bool:
    names = {"apiVersion": f"{facts.group}/v1".lstrip("/"), "kind": facts.kind}
    current = (read({**names, **each.object}).status == "Current" for each in facts.life)
    return bool(facts.entry) and facts.fits_all_releases and all(current)
