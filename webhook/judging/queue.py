"""A semaphore with a bounded queue in which small reviews go first, and namespaces take turns."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MAX_COUNT = 500
MAX_SIZE = 16 << 20
"""Bytes of all reviews in the queue."""

_TURN = 0.01
"""Seconds that a review is taken to need until it is known; so much a KiB moves it back."""


class QueueFullError(Exception):
    """The queue is full, and all others in it are smaller or arrived earlier."""


@dataclass(order=True, slots=True)
class _Waiter:
    """A review that waits; `turn` tells whether it may run, or was refused."""

    rank: float
    number: int
    start: float = field(compare=False)
    size: int = field(compare=False)
    namespace: str = field(compare=False)
    turn: asyncio.Future[bool] = field(compare=False)


class PriorityQueue:
    """Lets `permits` run at once; the others wait in the order of their ranks.

    The namespaces that have reviews in the queue get equal parts of the time, so that one that
    sends without pause, or what costs much, does not keep others waiting (start-time fair
    queueing: Goyal, Vin and Cheng, 1996). A rank is where its namespace is by then in such time,
    plus a penalty for size, since what a review costs grows with it. When more than `count` wait,
    or more than `size` bytes, the last in the order are refused.
    """

    def __init__(self, permits: int = 1, count: int = MAX_COUNT, size: int = MAX_SIZE) -> None:
        self._permits = permits
        self._count = count
        self._free = size
        self._number = 0
        self._now = 0.0
        self._waiters: list[_Waiter] = []
        self.running = 0

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiters)

    @property
    def full(self) -> bool:
        """Whether the next would have to wait."""
        return self.running >= self._permits

    @asynccontextmanager
    async def turn(self, size: int, namespace: str = "") -> AsyncIterator[None]:
        """Run; raises `QueueFullError`. A cancelled task leaves the queue."""
        if not self.full:
            self.running += 1
        else:
            await self._wait(size, namespace)
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            yield
        finally:
            self._charge(namespace, loop.time() - started)
            self._next()

    async def _wait(self, size: int, namespace: str) -> None:
        self._number += 1
        taken = [each.start for each in self._waiters if each.namespace == namespace]
        start = max(self._now, max(taken) + _TURN) if taken else self._now
        rank = start + size / 1024 * _TURN
        future = asyncio.get_running_loop().create_future()
        waiter = _Waiter(rank, self._number, start, size, namespace, future)
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
                self._next()  # the turn was just given, and this task will not take it
            raise
        if not has_turn:
            # Not an exception of the future: the two, and the body of the review with them, would
            # hold each other until the garbage collector comes, which counts objects and not bytes.
            raise QueueFullError

    def _charge(self, namespace: str, seconds: float) -> None:
        """Move back the others of a namespace, one of which took so long."""
        beyond = max(seconds - _TURN, 0.0)
        for each in self._waiters:
            if each.namespace == namespace:
                each.start += beyond
                each.rank += beyond
        self._waiters.sort()

    def _remove(self, waiter: _Waiter) -> _Waiter:
        self._waiters.remove(waiter)
        self._free += waiter.size
        return waiter

    def _next(self) -> None:
        """Give the turn to the first waiter whose task is not being cancelled."""
        while self._waiters:
            waiter = self._remove(self._waiters[0])
            if not waiter.turn.done():
                self._now = max(self._now, waiter.start)
                waiter.turn.set_result(True)
                return
        self.running -= 1
