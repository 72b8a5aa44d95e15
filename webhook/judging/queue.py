"""A lock with a bounded queue in which small objects go first."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MAX_COUNT = 500
MAX_SIZE = 16 << 20
"""Bytes of all objects in the queue."""

_BYTES_PER_SECOND = 1024
"""Bytes that move an object back by as much as arriving a second later."""


class QueueFullError(Exception):
    """The queue is full, and all others in it are smaller or arrived earlier."""


@dataclass(order=True, slots=True)
class _Waiter:
    rank: float
    number: int
    size: int = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


class PriorityLock:
    """Serves waiters in the order of arrival time plus a penalty for size.

    What an object costs grows with its size. Objects of about one size are served in the
    order of arrival; a large one may wait for as long as small ones keep arriving. When
    more than `count` wait, or more than `size` bytes, the last in the order are refused.
    """

    def __init__(self, count: int = MAX_COUNT, size: int = MAX_SIZE) -> None:
        self._count = count
        self._free = size
        self._number = 0
        self._waiters: list[_Waiter] = []
        self.busy = False

    @asynccontextmanager
    async def turn(self, size: int) -> AsyncIterator[None]:
        """Hold the lock; raises `QueueFullError`. A cancelled task leaves the queue."""
        if self.busy:
            await self._wait(size)
        self.busy = True
        try:
            yield
        finally:
            self._next()

    async def _wait(self, size: int) -> None:
        self._number += 1
        loop = asyncio.get_running_loop()
        rank = loop.time() + size / _BYTES_PER_SECOND
        waiter = _Waiter(rank, self._number, size, loop.create_future())
        insort(self._waiters, waiter)
        self._free -= size
        while self._free < 0 or len(self._waiters) > self._count:
            self._remove(self._waiters[-1]).turn.set_exception(QueueFullError())
        try:
            await waiter.turn
        except asyncio.CancelledError:
            if waiter in self._waiters:
                self._remove(waiter)
            elif not waiter.turn.cancelled() and waiter.turn.exception() is None:
                self._next()  # the turn was just given, and this task will not take it
            raise

    def _remove(self, waiter: _Waiter) -> _Waiter:
        self._waiters.remove(waiter)
        self._free += waiter.size
        return waiter

    def _next(self) -> None:
        """Give the turn to the first waiter whose task is not being cancelled."""
        while self._waiters:
            waiter = self._remove(self._waiters[0])
            if not waiter.turn.done():
                waiter.turn.set_result(None)
                return
        self.busy = False
