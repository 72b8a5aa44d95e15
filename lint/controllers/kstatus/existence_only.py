"""The kinds in whose status kstatus sees nothing: an object counts as ready once it exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from celvet.lint.controllers.kstatus.reading import read
from celvet.lint.model import GroupKind
from celvet.schemas import KindFacts, kind_facts


def existence_only(kind: GroupKind, directories: Sequence[Path]) -> bool:
    """Whether kstatus takes a kind for ready in each state of its life, and is wrong about it.

    `directories` are the user's own of schemas. Of a kind that nobody has read nothing is claimed.
    """
    facts = kind_facts(kind.group, kind.kind, directories)
    return facts is not None and _is_always_current(facts)


@cache
def _is_always_current(facts: KindFacts) -> bool:
    names = {"apiVersion": f"{facts.group}/v1".lstrip("/"), "kind": facts.kind}
    return bool(facts.entry) and all(
        read({**names, **state.object}).status == "Current" for state in facts.life
    )
