"""Time that passes only while code sleeps, or when a test advances it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from celvet.certs.clock import Clock

START = datetime(2026, 1, 1, tzinfo=UTC)
_T = TypeVar("_T")


class VirtualTime:
    """`clock` is what the code under test gets; sleeping moves the time on at once."""

    def __init__(self, start: datetime = START) -> None:
        self.moment = start
        self.slept: list[float] = []
        self.clock = Clock(now=self.now, sleep=self.sleep, chance=lambda: 0.5)

    def now(self) -> datetime:
        return self.moment

    def pass_(self, **duration: float) -> None:
        self.moment += timedelta(**duration)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.moment += timedelta(seconds=seconds)
        await asyncio.sleep(0)


def run(main: Coroutine[Any, Any, _T], limit: float = 300.0) -> _T:
    """Run a test's coroutine; a hang becomes a failure."""

    async def limited() -> _T:
        return await asyncio.wait_for(main, limit)

    return asyncio.run(limited())
