"""Short runs; the long ones are `python -m tests.soak.attacks` and `python -m tests.soak.soak`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.attacks import ATTACKS, LIMIT, attacked, run
from tests.soak.clients import Memory
from tests.soak.soak import soak

_PATIENCE = 300.0
"""Seconds for an answer: enough for a busy machine, since only the long runs measure latency."""


@pytest.mark.parametrize("name", ["16 clients, all of these", "60 users, in 60 namespaces"])
def test_honest_requests_are_answered_rightly_under_attack(tmp_path: Path, name: str) -> None:
    with attacked(tmp_path) as served:
        tally, memory = run(served, ATTACKS[name], 3, _PATIENCE)
        assert tally.answered
        assert (tally.failed, tally.wrong) == ([], 0)
        assert 0 < memory.peak < LIMIT
        assert served.end() == 0


def test_mixed_requests_under_all_disturbances_at_once(tmp_path: Path) -> None:
    with attacked(tmp_path) as served:
        files = Memory(served.process.pid).files()
        tally, sizes = soak(served, 300, _PATIENCE)
        assert (tally.failed, tally.wrong) == ([], 0)
        assert tally.answered + tally.refused >= 300
        assert max(sizes) < LIMIT
        served.until(lambda: Memory(served.process.pid).files() <= files + 10)
        assert served.end() == 0
