"""A semaphore with a bounded queue in which small reviews go first, and flows take turns."""

from __future__ import annotations

import asyncio
import math
from bisect import insort
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from celvet.lint.lru_cache import LruCache

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
"""Flows that are remembered: those used last."""


@dataclass(eq=False, slots=True)
class _Use:
    """What a flow has used, in seconds: its virtual finish, and the recent cost of a review.

    As many of its next reviews as are `limited` get less time.
    """

    finish: float = 0.0
    cost: float = 0.0
    limited: int = 0


class QueueFullError(Exception):
    """The queue is full, and all others in it are smaller or arrived earlier."""


@dataclass(eq=False, slots=True)
class _Entry:
    """A review that waits or runs; `turn` says whether it may run, or was refused.

    Its flow is charged for `seconds`; those of the clock if nobody sets them.
    """

    rank: float
    start: float
    size: int
    user: int
    use: _Use
    turn: asyncio.Future[bool]
    seconds: float | None = None


class PriorityQueue:
    """Lets `permits` run at once; the others wait in the order of their ranks.

    A flow is the short reviews of a user in a namespace, or the other ones there; those that come
    for the first time are one flow, since names can be made up. Flows get equal shares of the time,
    so that one that sends many or expensive reviews does not keep others waiting, nor its own short
    reviews (start-time fair queueing: Goyal, Vin and Cheng, 1996: a review starts at the finish of
    the one before in its flow, even if that one has left the queue). The rank of a review is this
    start, plus penalties for its size and for what the reviews of its flow cost lately.

    A review that runs is not interrupted, so the last of several permits is kept for a user who has
    none. Many flows that send one expensive review at a time would still share nearly all of the
    time among them, so those whose reviews cost more than `cheap` seconds lately leave the last
    permit, and half of the time, to the others. When more than `count` reviews or `size` bytes
    wait, the last in the order are refused.
    """

    def __init__(
        self, permits: int = 1, count: int = 500, size: int = 16 << 20, cheap: float = math.inf
    ) -> None:
        self._permits = permits
        self._cheap = cheap
        self._count = count
        self._free = size
        self._now = 0.0
        self._waiters: list[_Entry] = []
        self._running: list[_Entry] = []
        self._uses: LruCache[tuple[int, int, bool], _Use] = LruCache(lambda _: 1, _MOST_FLOWS)
        self._newcomers = _Use(), _Use()
        self._lead = 0.0  # seconds of the last costly review that others have not taken since

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
    async def turn(self, size: int, user: str, namespace: str = "") -> AsyncIterator[_Entry]:
        """Wait for a turn; raises `QueueFullError`. A cancelled task leaves the queue."""
        # Hashes, since a client may send names of any length, and flows are remembered.
        flow = hash(user), hash(namespace), size <= _SHORT
        use = self._uses.get(flow) or self._newcomers[size <= _SHORT]
        loop = asyncio.get_running_loop()
        # Start-time fair queueing: a flow that has had its turn begins later by what it used, and
        # one that was idle saves nothing up.
        virtual_start = max(self._now, use.finish)
        use.finish = virtual_start + _TURN
        rank = virtual_start + size / 1024 * _TURN + _COST_WEIGHT * use.cost
        entry = _Entry(rank, virtual_start, size, flow[0], use, loop.create_future())
        if self._may_run(entry):
            self._running.append(entry)
        else:
            await self._wait(entry)
        start = loop.time()
        try:
            yield entry
        finally:
            seconds = loop.time() - start if entry.seconds is None else entry.seconds
            self._charge(use, seconds)
            # All flows that are not remembered share one account: a client that changes its name
            # gains nothing.
            if use in self._newcomers:
                self._uses.put(flow, _Use(entry.start + seconds, seconds, use.limited))
            self._end(entry)

    def _may_run(self, entry: _Entry) -> bool:
        has_one = any(running.user == entry.user for running in self._running)
        all_costly = all(map(self._is_costly, (entry, *self._running)))
        keeps_one = self._permits > 1 and (has_one or all_costly)
        return self.running + keeps_one < self._permits

    def _is_costly(self, entry: _Entry) -> bool:
        return entry.use.cost > self._cheap

    async def _wait(self, entry: _Entry) -> None:
        insort(self._waiters, entry, key=lambda waiter: waiter.rank)
        self._free -= entry.size
        while self._free < 0 or len(self._waiters) > self._count:
            self._remove(self._waiters[-1]).turn.set_result(False)
        try:
            has_turn = await entry.turn
        except asyncio.CancelledError:
            if entry in self._waiters:
                self._remove(entry)
            elif not entry.turn.cancelled() and entry.turn.result():
                self._end(entry)  # it has just got its turn, which this task will not use
            raise
        if not has_turn:
            # not set as an exception of the future: the two would refer to each other and keep the
            # body alive until a garbage collection, which objects cause, not their bytes
            raise QueueFullError

    def _charge(self, use: _Use, seconds: float) -> None:
        """Charge a flow for the time of a review: its other reviews move back."""
        self._lead = seconds if use.cost > self._cheap else max(0.0, self._lead - seconds)
        use.cost += _NEWEST * (seconds - use.cost)
        beyond = seconds - _TURN
        use.finish += beyond
        for waiter in self._waiters:
            if waiter.use is use:
                waiter.start += beyond
                waiter.rank += beyond
        self._waiters.sort(key=lambda waiter: waiter.rank)

    def _remove(self, entry: _Entry) -> _Entry:
        self._waiters.remove(entry)
        self._free += entry.size
        return entry

    def _end(self, entry: _Entry) -> None:
        """End a turn, and start all reviews that may run now and are not being cancelled."""
        self._running.remove(entry)
        waiters = sorted(self._waiters, key=self._is_costly) if self._lead else [*self._waiters]
        for waiter in waiters:
            if self._may_run(waiter):
                self._remove(waiter)
                if not waiter.turn.done():
                    self._now = max(self._now, waiter.start)
                    self._running.append(waiter)
                    waiter.turn.set_result(True)
