"""The shares of the memory limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.webhook import memory_budget
from celvet.webhook.memory_budget import MIB, MemoryBudget, fixed_bytes
from celvet.webhook.options import ServeOptions

BODY = ServeOptions().max_body_bytes


@pytest.mark.parametrize("processes", [2, 3, 8])
@pytest.mark.parametrize("limit", [1216, 2048, 4096, 16384])
def test_all_parts_together_stay_below_the_limit(limit: int, processes: int) -> None:
    budget = MemoryBudget.of(limit * MIB, processes, BODY)
    assert 1 <= budget.large_bodies <= 8
    assert 64 * MIB <= budget.process <= 1024 * MIB
    assert fixed_bytes(budget.large_bodies * BODY) + processes * budget.process <= limit * MIB
    assert budget.least <= limit * MIB


@pytest.mark.parametrize(("limit", "processes", "body"), [(256, 3, BODY), (1216, 3, 1 << 30)])
def test_too_little_memory_is_told(limit: int, processes: int, body: int) -> None:
    assert MemoryBudget.of(limit * MIB, processes, body).least > limit * MIB


def test_the_chart_s_limit_has_what_is_no_judging_process() -> None:
    assert 440 * MIB < fixed_bytes(8 * BODY) <= 448 * MIB


def test_more_processes_get_less_each() -> None:
    shares = [MemoryBudget.of(1216 * MIB, each, BODY).process for each in (2, 3, 4)]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == 3


@pytest.mark.parametrize(
    ("content", "expected"), [("1275068416\n", 1216 * MIB), ("max\n", None), (None, None)]
)
def test_the_limit_is_that_of_the_cgroup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, expected: int | None
) -> None:
    path = tmp_path / "memory.max"
    if content is not None:
        path.write_text(content)
    monkeypatch.setattr(memory_budget, "_FILES", (path,))
    machine = memory_budget.limit()
    if expected is None:
        assert machine > 100 * MIB
    else:
        assert machine == expected
