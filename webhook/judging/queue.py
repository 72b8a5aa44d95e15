"""Those who wait for one thing that serves one at a time: the small ones first, within bounds."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

MAX_COUNT = 500
MAX_SIZE = 16 << 20
"""Bytes of all who wait."""

SIZE_OF_A_SECOND = 1024
"""Bytes that put one back by as much as to come a second later."""


class CrowdedError(Exception):
    """Too many wait, or too much, and those who do are smaller."""


@dataclass(order=True, slots=True)
class _Waiter:
    rank: float
    number: int
    size: int = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


class Waiting:
    """Gives turns by size and by time: what an object costs grows with its size.

    Those of about one size have their turns as they came. One that is larger by more KiB
    than its patience has seconds has none while small ones come without a pause. When more
    than `count` wait, or more than `size` bytes, the last in the order are sent away.
    """

    def __init__(self, count: int = MAX_COUNT, size: int = MAX_SIZE) -> None:
        self._count = count
        self._room = size
        self._number = 0
        self._waiters: list[_Waiter] = []
        self.busy = False

    @asynccontextmanager
    async def turn(self, size: int) -> AsyncIterator[None]:
        """Wait for a turn and have it; raises `CrowdedError`. Who is cancelled has left."""
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
        rank = loop.time() + size / SIZE_OF_A_SECOND
        waiter = _Waiter(rank, self._number, size, loop.create_future())
        insort(self._waiters, waiter)
        self._room -= size
        while self._room < 0 or len(self._waiters) > self._count:
            self._left(self._waiters[-1]).turn.set_exception(CrowdedError())
        try:
            await waiter.turn
        except asyncio.CancelledError:
            if waiter in self._waiters:
                self._left(waiter)
            elif not waiter.turn.cancelled() and waiter.turn.exception() is None:
                self._next()  # it was just given, and nobody takes it
            raise

    def _left(self, waiter: _Waiter) -> _Waiter:
        self._waiters.remove(waiter)
        self._room += waiter.size
        return waiter

    def _next(self) -> None:
        """Give the turn to the first; one whose task is being cancelled takes none."""
        while self._waiters:
            waiter = self._left(self._waiters[0])
            if not waiter.turn.done():
                waiter.turn.set_result(None)
                return
        self.busy = False
