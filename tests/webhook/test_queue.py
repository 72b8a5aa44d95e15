"""The order of the queue, and who is refused."""

from __future__ import annotations

import asyncio
import gc
import heapq
import itertools
import tracemalloc
import weakref
from contextlib import AsyncExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.webhook.queue import PriorityQueue, QueueFullError
from tests.properties import examples


async def served(queue: PriorityQueue, size: int, order: list[int], user: str = "") -> None:
    async with queue.turn(size, user) as turn:
        turn.seconds = 0.01
        order.append(size)
        await asyncio.sleep(0)


async def known(queue: PriorityQueue, *users: str) -> None:
    """Let each have had a short and a long review."""
    for user in users:
        for size in (1, 5000):
            async with queue.turn(size, user):
                pass


async def enqueue(
    queue: PriorityQueue, sizes: list[int], order: list[int]
) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(served(queue, size, order)) for size in sizes]
    await asyncio.sleep(0)
    return tasks


def test_small_ones_first() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(), list[int]()
        async with queue.turn(1, ""):
            tasks = await enqueue(queue, [300 << 10, 10 << 10, 20 << 10], order)
        await asyncio.gather(*tasks)
        assert order == [10 << 10, 20 << 10, 300 << 10]
        assert queue.running == 0

    asyncio.run(main())


def test_objects_of_about_one_size_keep_their_order() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(), list[int]()
        async with queue.turn(1, ""):
            tasks = await enqueue(queue, [1010, 1000, 999], order)
        await asyncio.gather(*tasks)
        assert order == [1010, 1000, 999]


def test_nobody_is_overtaken_again_and_again() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(), list[int]()
        await known(queue, "")
        async with queue.turn(1, ""):
            tasks = await enqueue(queue, [1000, 1001, 1002, 1003, 1004], order)
        while len(order) < 2:
            await asyncio.sleep(0)
        tasks += await enqueue(queue, [900, 901], order)
        await asyncio.gather(*tasks)
        assert order == [1000, 1001, 1002, 1003, 1004, 900, 901]

    asyncio.run(main())


def test_a_namespace_without_pause_keeps_others_waiting_for_one_turn() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(), list[int]()
        await known(queue, "busy", "calm")
        async with queue.turn(1, ""):
            many = [asyncio.create_task(served(queue, 2000, order, "busy")) for _ in range(5)]
            await asyncio.sleep(0)
            one = asyncio.create_task(served(queue, 2100, order, "calm"))
            await asyncio.sleep(0)
        await asyncio.gather(*many, one)
        assert order == [2000, 2100, 2000, 2000, 2000, 2000]

    asyncio.run(main())


def test_a_namespace_pays_for_what_its_reviews_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        loop, now = asyncio.get_running_loop(), 0.0
        monkeypatch.setattr(loop, "time", lambda: now)
        queue, order = PriorityQueue(), list[str]()
        await known(queue, "costly", "cheap")

        async def served(namespace: str, seconds: float) -> None:
            async with queue.turn(1000, namespace):
                nonlocal now
                now += seconds
                order.append(namespace)

        async with queue.turn(1, ""):
            costs = {"costly": 0.095, "cheap": 0.01}
            pairs = [each for each in costs.items() for _ in range(6)]
            tasks = [asyncio.create_task(served(*each)) for each in pairs]
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        monkeypatch.undo()
        assert order == ["costly", *["cheap"] * 6, *["costly"] * 5]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("running", "comes", "waits"),
    [
        ((), ("a", 1), False),
        (("a",), ("a", 1), True),
        (("a",), ("b", 1), False),
        (("a",), ("a", 5000), True),
        (("a", "b"), ("c", 1), True),
    ],
)
def test_the_last_turn_is_kept_for_a_user_who_has_none(
    running: tuple[str, ...], comes: tuple[str, int], waits: bool
) -> None:
    async def main() -> None:
        queue, order = PriorityQueue(2), list[int]()
        await known(queue, "a", "b", "c")
        namespace, size = comes
        async with AsyncExitStack() as stack:
            for each in running:
                await stack.enter_async_context(queue.turn(1, each))
            task = asyncio.create_task(served(queue, size, order, namespace))
            await asyncio.sleep(0)
            assert bool(len(queue)) is waits
        await task
        assert (queue.running, len(queue)) == (0, 0)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("seconds", "user", "waits"),
    [(0.02, "b", True), (0.02, "c", True), (0.02, "new", True), (0.001, "b", False)],
)
def test_costly_flows_leave_the_last_turn_to_others(seconds: float, user: str, waits: bool) -> None:
    """New ones too, if those before them were costly."""

    async def main() -> None:
        queue, order = PriorityQueue(2, cheap=0.01), list[int]()
        for known_user in "abc":
            async with queue.turn(1, known_user) as turn:
                turn.seconds = seconds
        async with queue.turn(1, "a"):
            task = asyncio.create_task(served(queue, 1, order, user))
            await asyncio.sleep(0)
            assert bool(len(queue)) is waits
        await task

    asyncio.run(main())


def test_all_that_may_run_after_a_turn_begin() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(2), list[int]()
        await known(queue, "a", "b")
        async with queue.turn(5000, "a"):
            tasks = [asyncio.create_task(served(queue, 5000, order, "a"))]
            async with queue.turn(1, "b"):
                tasks += [asyncio.create_task(served(queue, 1, order, "b"))]
                await asyncio.sleep(0)
                assert len(queue) == 2
            assert len(queue) == 1
        assert len(queue) == 0
        await asyncio.gather(*tasks)
        assert queue.running == 0

    asyncio.run(main())


def test_short_reviews_of_a_namespace_do_not_wait_behind_its_long_ones() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(), list[int]()
        async with queue.turn(1, ""):
            tasks = await enqueue(queue, [*[8000] * 9, 1000], order)
        await asyncio.gather(*tasks)
        assert order == [1000, *[8000] * 9]

    asyncio.run(main())


@pytest.mark.parametrize("forged", [False, True], ids=["the same users", "another user each time"])
@pytest.mark.parametrize("cost", [0.008, 0.05])
@pytest.mark.parametrize(("permits", "hostile"), [(1, 60), (2, 4), (2, 60)])
def test_flows_of_expensive_reviews_do_not_keep_cheap_ones_waiting(
    permits: int, hostile: int, cost: float, forged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulated: each client sends its next review after the answer, six honest ones after 5 ms.

    All of these are one user, as a controller is.
    """

    async def main() -> list[float]:
        loop, now, numbers = asyncio.get_running_loop(), 0.0, itertools.count()
        queue, waits = PriorityQueue(permits, cheap=0.005), list[float]()
        ends: list[tuple[float, int, asyncio.Future[None]]] = []
        monkeypatch.setattr(loop, "time", lambda: now)

        async def last(seconds: float) -> None:
            end = loop.create_future()
            heapq.heappush(ends, (now + seconds, next(numbers), end))
            await end

        async def client(sender: str, seconds: float, pause: float) -> None:
            while True:
                start = now
                user = f"{sender} {next(numbers)}" if forged and not pause else sender
                async with queue.turn(3000, user):
                    if pause:
                        waits.append(now - start)
                    await last(seconds)
                await last(pause)

        senders = [(f"hostile {number}", cost, 0.0) for number in range(hostile)]
        tasks = [asyncio.create_task(client(*each)) for each in [("honest", 0.001, 0.005)] * 6]
        while now < 3:
            for _ in range(6):  # each step of a client
                await asyncio.sleep(0)
            now, _, end = heapq.heappop(ends)
            end.set_result(None)
            if now > 0.2 and senders:
                tasks += [asyncio.create_task(client(*each)) for each in senders]
                senders.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        monkeypatch.undo()
        return waits

    waits = sorted(asyncio.run(main()))
    assert len(waits) > 500
    assert waits[len(waits) * 99 // 100] <= (0.005 if permits > 1 else cost + 0.005)


def test_a_flow_is_remembered_only_among_the_latest() -> None:
    async def main() -> None:
        queue = PriorityQueue()
        for number in range(5000):
            async with queue.turn(1, str(number)):
                pass
        assert len(queue._uses._results) <= 2000

    asyncio.run(main())


def test_what_is_remembered_of_a_flow_does_not_grow_with_its_names() -> None:
    async def main() -> int:
        queue = PriorityQueue()
        tracemalloc.start()
        for number in range(50):
            async with queue.turn(1, f"{number}" * 50_000, f"{number}" * 50_000):
                pass
        return tracemalloc.get_traced_memory()[0]

    try:
        assert asyncio.run(main()) < 1 << 20
    finally:
        tracemalloc.stop()


def test_as_many_run_at_once_as_may() -> None:
    async def main() -> None:
        queue, order = PriorityQueue(2), list[int]()
        await known(queue, "", "other")
        async with queue.turn(1, ""), queue.turn(1, "other"):
            assert queue.running == 2
            (task,) = await enqueue(queue, [1], order)
            assert len(queue) == 1
        await task
        assert (queue.running, len(queue)) == (0, 0)

    asyncio.run(main())


@pytest.mark.parametrize(("count", "size"), [(2, 1 << 20), (9, 35 << 10)])
def test_the_largest_are_refused(count: int, size: int) -> None:
    async def main() -> None:
        queue, order = PriorityQueue(count=count, size=size), list[int]()
        async with queue.turn(500, ""):
            tasks = await enqueue(queue, [each << 10 for each in (30, 10, 20, 900)], order)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in results] == [
            QueueFullError,
            type(None),
            type(None),
            QueueFullError,
        ]
        assert order == [10 << 10, 20 << 10]

    asyncio.run(main())


class _Body:
    """Stands in for the megabytes of a review."""


async def _refused(queue: PriorityQueue, body: _Body) -> bool:
    try:
        async with queue.turn(900 << 10, ""):
            return body is None
    except QueueFullError:
        return True


def test_a_refused_review_is_freed_at_once() -> None:
    """The garbage collector runs by the number of objects, and a large body is only one."""

    async def main() -> None:
        queue, body = PriorityQueue(size=1 << 10), _Body()
        kept = weakref.ref(body)
        async with queue.turn(500, ""):
            assert await _refused(queue, body)
        del body
        assert kept() is None

    gc.disable()
    try:
        asyncio.run(main())
    finally:
        gc.enable()


@examples(60)
@given(
    st.lists(st.tuples(st.integers(1, 50), st.sampled_from("ab"), st.integers(0, 6)), max_size=12),
    st.integers(1, 6),
    st.integers(1, 3),
)
def test_a_cancelled_waiter_blocks_nobody(
    comers: list[tuple[int, str, int]], count: int, permits: int
) -> None:
    """Each is served, refused or cancelled at some step, and the queue is free at the end."""

    async def main() -> None:
        queue, order = PriorityQueue(permits, count=count, size=120), list[int]()
        first = asyncio.create_task(served(queue, 1, order))
        await asyncio.sleep(0)
        tasks = [
            asyncio.create_task(served(queue, size, order, namespace))
            for size, namespace, _ in comers
        ]
        for step in range(1, 7):
            await asyncio.sleep(0)
            assert queue.running <= permits
            for task, (*_, leaves) in zip(tasks, comers, strict=True):
                if leaves == step:
                    task.cancel()
        await asyncio.wait_for(asyncio.gather(first, *tasks, return_exceptions=True), 100)
        assert queue.running == 0
        assert queue._free == 120
        await asyncio.wait_for(served(queue, 1, order), 100)

    asyncio.run(main())
