"""The order of the queue, and who is refused."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.webhook.judging.queue import PriorityLock, QueueFullError
from tests.properties import examples


async def served(lock: PriorityLock, size: int, order: list[int]) -> None:
    async with lock.turn(size):
        order.append(size)
        await asyncio.sleep(0)


async def enqueue(
    lock: PriorityLock, sizes: list[int], order: list[int]
) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(served(lock, size, order)) for size in sizes]
    await asyncio.sleep(0)
    return tasks


def test_small_ones_first() -> None:
    async def main() -> None:
        lock, order = PriorityLock(), list[int]()
        async with lock.turn(1):
            tasks = await enqueue(lock, [300 << 10, 10 << 10, 20 << 10], order)
        await asyncio.gather(*tasks)
        assert order == [10 << 10, 20 << 10, 300 << 10]
        assert not lock.busy

    asyncio.run(main())


def test_objects_of_about_one_size_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        loop, now = asyncio.get_running_loop(), 100.0
        monkeypatch.setattr(loop, "time", lambda: now)
        lock, order = PriorityLock(), list[int]()
        async with lock.turn(1):
            tasks = await enqueue(lock, [1010], order)
            now = 100.001
            tasks += await enqueue(lock, [1000], order)
            now = 100.02
            tasks += await enqueue(lock, [999], order)
        monkeypatch.undo()
        await asyncio.gather(*tasks)
        assert order == [1000, 1010, 999]

    asyncio.run(main())


@pytest.mark.parametrize(("count", "size"), [(2, 1 << 20), (9, 35 << 10)])
def test_the_largest_are_refused(count: int, size: int) -> None:
    async def main() -> None:
        lock, order = PriorityLock(count, size), list[int]()
        async with lock.turn(500):
            tasks = await enqueue(lock, [each << 10 for each in (30, 10, 20, 900)], order)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in results] == [
            QueueFullError,
            type(None),
            type(None),
            QueueFullError,
        ]
        assert order == [10 << 10, 20 << 10]

    asyncio.run(main())


@examples(60)
@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 6)), max_size=12), st.integers(1, 6))
def test_a_cancelled_waiter_blocks_nobody(comers: list[tuple[int, int]], count: int) -> None:
    """Each is served, refused or cancelled at some step, and the lock is free at the end."""

    async def main() -> None:
        lock, order = PriorityLock(count, 120), list[int]()
        first = asyncio.create_task(served(lock, 1, order))
        tasks = await enqueue(lock, [size for size, _ in comers], order)
        for step in range(1, 7):
            await asyncio.sleep(0)
            for task, (_, leaves) in zip(tasks, comers, strict=True):
                if leaves == step:
                    task.cancel()
        await asyncio.wait_for(asyncio.gather(first, *tasks, return_exceptions=True), 5)
        assert not lock.busy
        assert lock._free == 120
        await asyncio.wait_for(served(lock, 1, order), 5)

    asyncio.run(main())
