"""A semaphore with a bounded queue in which small reviews go first, and flows take turns."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

_MAX_COUNT = 500
_MAX_SIZE = 16 << 20
"""Bytes of all reviews in the queue."""

_TURN = 0.01
"""Assumed seconds of a review until they are known, and the penalty for each KiB."""

_SHORT = 4096
"""Bytes of a short review; reviews that are made to be expensive are mostly longer."""

_COST_WEIGHT = 20
"""Seconds by which a review moves back for each second that those of its flow took lately: more
than the finish tags differ between flows that send one review at a time."""

_NEWEST = 0.3
"""Weight of the newest review in the recent cost of a flow."""

_MOST_FLOWS = 2000
"""Flows that are remembered; those that have used least of their share are forgotten first."""

_Flow: TypeAlias = tuple[int, int, bool]
"""A flow: the short reviews of a user in a namespace, or the other ones there.

Hashes, since a client may send names of any length, and flows are remembered.
"""


@dataclass(slots=True)
class _Use:
    """What a flow has used, in seconds: its virtual finish, and the recent cost of a review."""

    finish: float = 0.0
    cost: float = 0.0


class QueueFullError(Exception):
    """The queue is full, and all others in it are smaller or arrived earlier."""


@dataclass(order=True, slots=True)
class _Waiter:
    """A waiting review; `turn` says whether it may run, or was refused."""

    rank: float
    number: int
    start: float = field(compare=False)
    size: int = field(compare=False)
    flow: _Flow = field(compare=False)
    turn: asyncio.Future[bool] = field(compare=False)


class PriorityQueue:
    """Lets `permits` run at once; the others wait in the order of their ranks.

    Flows get equal shares of the time, so that one that sends many or expensive reviews does not
    keep others waiting, nor its own short reviews (start-time fair queueing: Goyal, Vin and Cheng,
    1996: a review starts at the finish of the one before in its flow, even if that one has left
    the queue). The rank of a review is this start, plus penalties for its size and for what the
    reviews of its flow cost lately: many flows that send one expensive review at a time would
    otherwise share all of the time among them. The last of several permits is kept for a user who
    has none, since a review that runs is not interrupted. When more than `count` reviews or `size`
    bytes wait, the last in the order are refused.
    """

    def __init__(self, permits: int = 1, count: int = _MAX_COUNT, size: int = _MAX_SIZE) -> None:
        self._permits = permits
        self._count = count
        self._free = size
        self._number = 0
        self._now = 0.0
        self._waiters: list[_Waiter] = []
        self._running: list[_Flow] = []
        self._uses: dict[_Flow, _Use] = {}

    def __len__(self) -> int:
        """How many reviews wait."""
        return len(self._waiters)

    @property
    def running(self) -> int:
        """How many reviews run."""
        return len(self._running)

    @property
    def full(self) -> bool:
        """Whether the next review would have to wait, whatever its flow."""
        return self.running >= self._permits

    @asynccontextmanager
    async def turn(self, size: int, user: str, namespace: str = "") -> AsyncIterator[None]:
        """Wait for a turn; raises `QueueFullError`. A cancelled task leaves the queue."""
        flow = (hash(user), hash(namespace), size <= _SHORT)
        if self._may_run(flow):
            self._running.append(flow)
            self._start(flow)
        else:
            await self._wait(size, flow)
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            yield
        finally:
            self._charge(flow, loop.time() - start)
            self._end(flow)

    def _may_run(self, flow: _Flow) -> bool:
        has_one = any(user == flow[0] for user, *_ in self._running)
        return len(self._running) + has_one < self._permits

    async def _wait(self, size: int, flow: _Flow) -> None:
        self._number += 1
        start = self._start(flow)
        rank = start + size / 1024 * _TURN + _COST_WEIGHT * self._use(flow).cost
        future = asyncio.get_running_loop().create_future()
        waiter = _Waiter(rank, self._number, start, size, flow, future)
        insort(self._waiters, waiter)
        self._free -= size
        while self._free < 0 or len(self._waiters) > self._count:
            self._remove(self._waiters[-1]).turn.set_result(False)
        try:
            has_turn = await waiter.turn
        except asyncio.CancelledError:
            if waiter in self._waiters:
                self._remove(waiter)
            elif not waiter.turn.cancelled() and waiter.turn.result():
                self._end(flow)  # it has just got its turn, which this task will not use
            raise
        if not has_turn:
            # not set as an exception of the future: the two would refer to each other and keep the
            # review's body alive until a garbage collection, which depends on the number of
            # objects, not on their bytes
            raise QueueFullError

    def _charge(self, flow: _Flow, seconds: float) -> None:
        """Charge a flow for the time of a review: its other reviews move back."""
        use, beyond = self._use(flow), seconds - _TURN
        use.cost += _NEWEST * (seconds - use.cost)
        if beyond <= 0:
            return
        use.finish += beyond
        for waiter in self._waiters:
            if waiter.flow == flow:
                waiter.start += beyond
                waiter.rank += beyond
        self._waiters.sort()

    def _use(self, flow: _Flow) -> _Use:
        use = self._uses.get(flow)
        if use is None:
            if len(self._uses) >= _MOST_FLOWS:
                order = sorted(self._uses, key=lambda key: self._uses[key].finish)
                for oldest in order[: _MOST_FLOWS // 2]:
                    del self._uses[oldest]
            use = self._uses[flow] = _Use()
        return use

    def _start(self, flow: _Flow) -> float:
        """The virtual start of the next review of a flow, which then finishes a turn later."""
        use = self._use(flow)
        start = max(self._now, use.finish)
        use.finish = start + _TURN
        return start

    def _remove(self, waiter: _Waiter) -> _Waiter:
        self._waiters.remove(waiter)
        self._free += waiter.size
        return waiter

    def _end(self, flow: _Flow) -> None:
        """End a turn, and start all reviews that may run now and are not being cancelled."""
        self._running.remove(flow)
        for waiter in [*self._waiters]:
            if self._may_run(waiter.flow):
                self._remove(waiter)
                if not waiter.turn.done():
                    self._now = max(self._now, waiter.start)
                    self._running.append(waiter.flow)
                    waiter.turn.set_result(True)
