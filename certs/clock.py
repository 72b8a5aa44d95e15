"""Time, sleep and randomness, so that tests can control them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime

from celvet.record import record


def local_now() -> datetime:
    """The time of this machine, aware, in UTC."""
    return datetime.now(UTC)


@record
class Clock:
    """The present time (aware), a sleep in seconds, and a random share from 0 up to 1."""

    now: Callable[[], datetime] = local_now
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    def pauses(self, first: float, longest: float) -> Iterator[float]:
        """Yield the seconds to wait between tries: doubling up to `longest`, without end.

        Each pause is shortened by a random share of up to half, so that replicas that collided
        once do not collide again.
        """
        pause = first
        while True:
            yield pause * (0.5 + self.chance() / 2)
            pause = min(2 * pause, longest)
