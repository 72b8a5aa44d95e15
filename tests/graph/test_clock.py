"""When waiters are ready, by the rules of their controllers, with a few workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest

from celvet.lint.graph.clock import QueueWaiter, clock_of
from celvet.record import replace

_MINUTE = timedelta(minutes=1)


def _waiter(node: int, *after: int, timeout: int = 0, **other: Any) -> QueueWaiter:
    """A Kustomization that depends on others; it waits if it has a timeout, in minutes."""
    plain = QueueWaiter(node, "Kustomization", 4, _MINUTE / 2, dependencies=after)
    return replace(plain, waits=timeout > 0, timeout=timeout * _MINUTE, **other)


def _minutes(times: Mapping[int, timedelta]) -> dict[int, float]:
    return {node: time / _MINUTE for node, time in times.items()}


_CASES: Mapping[str, tuple[Sequence[QueueWaiter], dict[int, float], dict[int, float]]] = {
    "a chain is looked at every 30 seconds": (
        [_waiter(0), _waiter(1, 0), _waiter(2, 1)],
        {0: 0, 1: 0.5, 2: 1},
        {0: 0, 1: 0.5, 2: 1},
    ),
    "the look after a wait is on the clock of the dependant": (
        [_waiter(0, timeout=5), _waiter(1, 0, timeout=10)],
        {0: 0, 1: 0.5},
        {0: 5, 1: 15.5},
    ),
    "a fifth wait stands in line for a worker": (
        [_waiter(node, timeout=5) for node in range(5)],
        dict.fromkeys(range(5), 0.0),
        {0: 5, 1: 5, 2: 5, 3: 5, 4: 10},
    ),
    "a parent begins before what it applies, and waits for it": (
        [_waiter(0, timeout=9, waited=(1,)), _waiter(1, timeout=5, owner=0)],
        {0: 0, 1: 0},
        {0: 5, 1: 5},
    ),
    "a wait that is too short fails, and is tried again": (
        [_waiter(0, timeout=2, waited=(1,), retry=10 * _MINUTE), _waiter(1, timeout=5, owner=0)],
        {0: 0, 1: 0},
        {0: 12, 1: 5},
    ),
    "what waits for a cycle never begins, and a test without an end never ends": (
        [
            _waiter(0, blocked=True),
            _waiter(1, 0),
            _waiter(2, timeout=5, stuck=True, retry=60 * _MINUTE),
        ],
        {},
        {},
    ),
}


@pytest.mark.parametrize("case", _CASES)
def test_each_is_ready_by_the_rules(case: str) -> None:
    waiters, best, worst = _CASES[case]
    clock = clock_of(waiters)
    assert _minutes(clock.best.ready) == best
    assert _minutes(clock.worst.ready) == worst


def test_more_workers_shorten_the_line() -> None:
    waits = [_waiter(node, timeout=5) for node in range(5)]
    assert clock_of(waits).at_once == {"Kustomization": 5}
    assert clock_of(waits).worst.line() == [0, 4]
    assert clock_of(waits).worst.queued == {4}
    assert clock_of(waits, concurrency=5).worst.end == 5 * _MINUTE
    assert clock_of(waits, concurrency=1).worst.end == 25 * _MINUTE


def test_the_waits_that_may_fail_together_have_no_other_before_them() -> None:
    waits = [_waiter(0, timeout=5), _waiter(1, 0), _waiter(2, 1, timeout=5), _waiter(3, timeout=5)]
    clock = clock_of(waits)
    assert [waiter.node for waiter in clock.first] == [0, 3]
    assert clock.held_up(0) == [1, 2]


def test_a_wait_that_ends_before_the_one_below_it_can_is_named() -> None:
    waits = [_waiter(0, timeout=2, waited=(1,)), _waiter(1, timeout=5, owner=0)]
    assert clock_of(waits).worst.failed == {0}
    assert not clock_of(waits).best.failed
