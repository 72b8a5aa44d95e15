"""The order in which turns are given, and who is sent away."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.webhook.judging.queue import CrowdedError, Waiting
from tests.properties import examples


async def served(waiting: Waiting, size: int, order: list[int]) -> None:
    async with waiting.turn(size):
        order.append(size)
        await asyncio.sleep(0)


async def crowd(waiting: Waiting, sizes: list[int], order: list[int]) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(served(waiting, size, order)) for size in sizes]
    await asyncio.sleep(0)
    return tasks


def test_small_ones_first() -> None:
    async def main() -> None:
        waiting, order = Waiting(), list[int]()
        async with waiting.turn(1):
            tasks = await crowd(waiting, [300 << 10, 10 << 10, 20 << 10], order)
        await asyncio.gather(*tasks)
        assert order == [10 << 10, 20 << 10, 300 << 10]
        assert not waiting.busy

    asyncio.run(main())


def test_of_about_one_size_nobody_is_overtaken_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        loop, now = asyncio.get_running_loop(), 100.0
        monkeypatch.setattr(loop, "time", lambda: now)
        waiting, order = Waiting(), list[int]()
        async with waiting.turn(1):
            tasks = await crowd(waiting, [1010], order)
            now = 100.001
            tasks += await crowd(waiting, [1000], order)
            now = 100.02
            tasks += await crowd(waiting, [999], order)
        monkeypatch.undo()
        await asyncio.gather(*tasks)
        assert order == [1000, 1010, 999]

    asyncio.run(main())


@pytest.mark.parametrize(("count", "size"), [(2, 1 << 20), (9, 35 << 10)])
def test_the_largest_are_sent_away(count: int, size: int) -> None:
    async def main() -> None:
        waiting, order = Waiting(count, size), list[int]()
        async with waiting.turn(500):
            tasks = await crowd(waiting, [each << 10 for each in (30, 10, 20, 900)], order)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in results] == [
            CrowdedError,
            type(None),
            type(None),
            CrowdedError,
        ]
        assert order == [10 << 10, 20 << 10]

    asyncio.run(main())


@examples(60)
@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 6)), max_size=12), st.integers(1, 6))
def test_nobody_is_forgotten_whoever_leaves(comers: list[tuple[int, int]], count: int) -> None:
    """Each is served, sent away or cancelled at some step, and the place is free at the end."""

    async def main() -> None:
        waiting, order = Waiting(count, 120), list[int]()
        first = asyncio.create_task(served(waiting, 1, order))
        tasks = await crowd(waiting, [size for size, _ in comers], order)
        for step in range(1, 7):
            await asyncio.sleep(0)
            for task, (_, leaves) in zip(tasks, comers, strict=True):
                if leaves == step:
                    task.cancel()
        await asyncio.wait_for(asyncio.gather(first, *tasks, return_exceptions=True), 5)
        assert not waiting.busy
        assert waiting._room == 120
        await asyncio.wait_for(served(waiting, 1, order), 5)

    asyncio.run(main())
