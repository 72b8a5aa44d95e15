"""What the report says of objects in each state that their controllers leave them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tables import Table
from tests.why.recorded import report
from tests.why.states import made

_TABLE = Table(Path(__file__).with_name("states.yaml"))
_AT = "2026-11-24T00:30:20Z"


@pytest.mark.parametrize(
    "case",
    [
        case
        for section in ("dependencies", "sources", "health", "releases", "sets", "instances")
        for case in _TABLE.cases(section)
    ],
)
def test_states(case: dict[str, Any]) -> None:
    told = report([made(short) for short in case["objects"]], _AT)
    roots = [f"{r['kind']} {r['name']} {r['cause']} {r['outlook']}" for r in told["roots"]]
    waiters = {w["name"]: _waiter(w) for w in told["waiters"]}
    assert (roots, waiters) == (case["roots"], case["waiters"])


def _waiter(told: dict[str, Any]) -> str:
    at = (told["next"]["at"] or "")[11:19]
    return f"{told['verdict']} {told['roots']} {told['next']['event']} {at}".strip()
