"""Compares recorded answers with those that a controller gives now."""

from __future__ import annotations

from tests.conformance.answer import Vector
from tests.e2e.cluster import Cluster
from tests.e2e.flux.replay import Declared, Ends, gated

_Different = list[tuple[str, object, object]]
"""The names of cases, what was recorded, and what comes now."""

_TRIES = 10


def differently_gated(cluster: Cluster, recorded: list[Vector], kind: Declared) -> _Different:
    """The cases whose dependencies are judged in another way than recorded, and stay so.

    On a busy machine, the look that decides may come late.
    """
    for _ in range(_TRIES):
        if not (found := different(recorded, gated(cluster, recorded, kind))):
            break
    return found


def different(recorded: list[Vector], ends: Ends) -> _Different:
    """The cases that end in another way than recorded."""
    return [
        (case["case"], case["want"], ends[case["case"]])
        for case in recorded
        if not _same(case["want"], ends[case["case"]])
    ]


def _same(want: dict[str, str], end: dict[str, str]) -> bool:
    message = end.get("message", "")
    return (
        end["result"] == want["result"]
        and message.startswith(want.get("start", ""))
        and _parts(message) == _parts(want.get("message", message))
    )


def _parts(message: str) -> list[str]:
    """What a message lists, in one order: the controller has none for its objects."""
    start, _, listed = message.rstrip("]").partition("[")
    return [start, *sorted(listed.split(", "))]
