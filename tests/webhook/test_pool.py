"""Real lint processes, with objects that cost too much."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from celvet.lint.model import GroupKind
from celvet.webhook.crds.store import CrdStore, pack
from celvet.webhook.decide.normalize import normalized
from celvet.webhook.judging.pool import SMALL, LintPool
from celvet.webhook.judging.process import ProcessDiedError
from celvet.webhook.lint_result import LintResult
from tests.webhook.crd_server import crd
from tests.webhook.reviews import kustomization
from tests.webhook.serving import children

GOOD = normalized(kustomization("status.a == 1"))
BAD = normalized(kustomization("status.a =="))


def unseen(name: str) -> bytes:
    """An object with a mistake that no other test shows to the shared pool."""
    return normalized(kustomization(f"status.{name} =="))


def costly(number: int, entries: int = 12) -> bytes:
    """An object that takes many seconds: a dozen lists of 30,000 elements each."""
    value = kustomization("true")
    text = f"[{number}," + ",".join(["1"] * 30_000) + "] == []"
    value["spec"]["healthCheckExprs"] = [
        {"apiVersion": "example.com/v1", "kind": f"X{index}", "current": text}
        for index in range(entries)
    ]
    return normalized(value)


@asynccontextmanager
async def running_pool(seconds: float = 1.0, timeout: float = 20.0) -> AsyncIterator[LintPool]:
    made = LintPool(seconds, timeout)
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(main(), 100))


Use = Callable[[Callable[[LintPool], Coroutine[Any, Any, None]]], None]


@pytest.fixture(scope="module")
def shared() -> Iterator[Use]:
    """Runs a function with a pool that the tests share; each leaves it able to pool."""
    with asyncio.Runner() as runner:
        context = running_pool()
        pool = runner.run(context.__aenter__())
        yield lambda main: runner.run(asyncio.wait_for(main(pool), 100))
        runner.run(context.__aexit__(None, None, None))


def test_results(shared: Use) -> None:
    async def main(pool: LintPool) -> None:
        assert pool.ready
        good = await pool.lint(GOOD, opt_out=False)
        assert [each.rule for each in good.findings] == ["missing-failed"]
        bad = await pool.lint(BAD, opt_out=False)
        assert bad.findings[0].rule == "cel-syntax"

    shared(main)


def test_opting_out_makes_another_result(shared: Use) -> None:
    value = kustomization("status.a ==")
    value["metadata"]["annotations"] = {"celvet.dev/ignore": "cel-syntax, missing-failed"}

    async def main(pool: LintPool) -> None:
        assert (await pool.lint(normalized(value), opt_out=False)).findings
        assert not (await pool.lint(normalized(value), opt_out=True)).findings

    shared(main)


def test_an_object_beyond_the_limit_is_given_up_and_the_next_is_linted(shared: Use) -> None:
    async def main(pool: LintPool) -> None:
        assert await pool.lint(costly(1), opt_out=False) == LintResult(limit_exceeded=True)
        assert (await pool.lint(unseen("next"), opt_out=False)).findings
        large = kustomization("status.a ==")
        large["spec"]["patches"] = [{"patch": "x" * SMALL}]
        assert (await pool.lint(normalized(large), opt_out=False)).findings

    shared(main)


def test_a_small_object_that_takes_long_moves_to_the_other_slot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("celvet.webhook.judging.pool.SMALL_SECONDS", 0.004)
    value = kustomization("status.a ==")
    value["spec"]["healthCheckExprs"] += [
        {"apiVersion": "example.com/v1", "kind": f"X{index}", "current": f"status.a == {index}"}
        for index in range(150)
    ]
    text = normalized(value)
    assert len(text) < SMALL

    async def main() -> None:
        async with running_pool(seconds=30) as pool:
            assert (await pool.lint(text, opt_out=False)).findings

    run(main)


def test_small_objects_do_not_wait_for_costly_ones() -> None:
    async def main() -> None:
        async with running_pool(seconds=60, timeout=60) as pool:
            waiting = [
                asyncio.create_task(pool.lint(costly(number), opt_out=False)) for number in range(3)
            ]
            await asyncio.sleep(0)
            for number in range(20):
                text = normalized(kustomization(f"status.a == {number} &&"))
                assert (await pool.lint(text, opt_out=False)).findings
            assert not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()

    run(main)


def test_nobody_waits_longer_than_the_timeout() -> None:
    async def main() -> None:
        async with running_pool(seconds=60, timeout=0.5) as pool:
            assert (await pool.lint(costly(1), opt_out=False)).limit_exceeded

    run(main)


def processes(pool: LintPool) -> list[int]:
    return [slot._process.pid for slot in pool._slots if slot._process]


def kill(pool: LintPool, number: signal.Signals = signal.SIGKILL) -> None:
    for pid in processes(pool):
        os.kill(pid, number)


def test_a_killed_process_costs_no_request() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            kill(pool)
            assert (await pool.lint(BAD, opt_out=False)).findings

    run(main)


def test_an_object_that_ends_two_processes_is_an_error() -> None:
    async def main() -> None:
        async with running_pool(seconds=60, timeout=60) as pool:
            asked = asyncio.create_task(pool.lint(costly(1), opt_out=False))
            for _ in range(2):
                before = await working(pool)
                os.kill(before, signal.SIGKILL)
                while before in processes(pool):
                    await asyncio.sleep(0.01)
            with pytest.raises(ProcessDiedError, match="status -9"):
                await asked
            assert (await pool.lint(BAD, opt_out=False)).findings

    async def working(pool: LintPool) -> int:
        while not (slot := pool._slots[1])._queue.busy or not slot.ready:
            await asyncio.sleep(0.01)
        assert slot._process
        return slot._process.pid

    run(main)


def test_a_process_that_is_killed_when_idle_is_restarted() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            before = processes(pool)
            kill(pool)
            while not pool.ready or set(before) & set(processes(pool)):
                await asyncio.sleep(0.01)

    run(main)


def test_a_process_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.webhook.judging.slot._CHECK_INTERVAL", 0.2)

    async def main() -> None:
        async with running_pool(timeout=1.0) as pool:
            before = processes(pool)
            stop_all(pool)
            while set(before) & set(processes(pool)):
                await asyncio.sleep(0.01)
            stop_all(pool)
            assert (await pool.lint(BAD, opt_out=False)).limit_exceeded
            while not (await pool.lint(BAD, opt_out=False)).findings:
                await asyncio.sleep(0.01)

    def stop_all(pool: LintPool) -> None:
        for pid in processes(pool):
            for each in (*children(pid), pid):
                os.kill(each, signal.SIGSTOP)

    run(main)


def test_processes_ignore_signals_to_the_whole_group() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                for pid in processes(pool):
                    for each in (pid, *children(pid)):
                        os.kill(each, number)
            before = processes(pool)
            assert (await pool.lint(BAD, opt_out=False)).findings
            assert processes(pool) == before

    run(main)


def test_a_request_that_nobody_waits_for_is_dropped() -> None:
    async def main() -> None:
        async with running_pool(seconds=2, timeout=4.0) as pool:
            hostile = [pool.lint(costly(number), opt_out=False) for number in range(12)]
            assert all(each.limit_exceeded for each in await asyncio.gather(*hostile))
            assert len(pool._pending) <= 1  # the one that was started
            while pool._slots[1]._queue.busy:
                await asyncio.sleep(0.01)
            assert len(pool._cache._results) <= 3
            large = kustomization("status.a ==")
            large["spec"]["patches"] = [{"patch": "x" * SMALL}]
            while not (await pool.lint(normalized(large), opt_out=False)).findings:
                pass  # on a busy machine a try may take longer than the timeout

    run(main)


def test_equal_objects_are_linted_once() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            text = BAD
            both = await asyncio.gather(*(pool.lint(text, opt_out=False) for _ in range(2)))
            assert both[0] is both[1]
            kill(pool)
            assert await pool.lint(text, opt_out=False) is both[0]

    run(main)


def test_hostile_texts_are_linted_or_given_up() -> None:
    texts = {
        "operands": " || ".join(["status.a"] * 10_000),
        "brackets": "(" * 50_000 + "1" + ")" * 50_000,
        "macros": "[1].exists(a," * 40 + "true" + ")" * 40,
        "garbage": "\\" * 99_000,
        "a megabyte": "'" + "a" * 1_000_000 + "'",
        "surrogates": "\ud800" * 100,
        "null bytes": "\0" * 1000,
    }

    async def main() -> None:
        async with running_pool(seconds=10, timeout=60) as pool:
            for name, text in texts.items():
                found = await pool.lint(normalized(kustomization(text)), opt_out=False)
                assert not found.crashes, name

    run(main)


def test_deep_objects(shared: Use) -> None:
    value = kustomization("true")
    deep: Any = {}
    for _ in range(400):
        deep = {"a": [deep]}
    value["spec"]["postBuild"] = deep

    async def main(pool: LintPool) -> None:
        assert not (await pool.lint(normalized(value), opt_out=False)).crashes

    shared(main)


def test_other_crds_invalidate_the_cache() -> None:
    kind = GroupKind("example.com", "X")

    async def main() -> None:
        crds = CrdStore()
        pool = LintPool(1.0, 20.0, (), crds)
        await pool.start()
        text = normalized(kustomization("status.phases == 'a'"))

        async def rules() -> set[str]:
            result = await pool.lint(text, opt_out=False)
            return {each.rule for each in result.findings}

        assert "crd-field" not in await rules()
        crds.publish({kind: pack(crd("X", phase="string"))})
        assert "crd-field" in await rules()
        crds.publish({kind: pack(crd("X", phases="string"))})
        assert "crd-field" not in await rules()
        crds.publish({kind: pack(crd("X", phase="string"))})
        kill(pool)
        assert "crd-field" in await rules()
        assert (await pool.lint(costly(1), opt_out=False)).limit_exceeded  # a new child follows
        other = normalized(kustomization("status.phases == 'b'"))
        found = (await pool.lint(other, opt_out=False)).findings
        assert "crd-field" in {each.rule for each in found}
        crds.publish({})
        assert "crd-field" not in await rules()
        await pool.stop()

    run(main)


def test_a_target_refuses_what_only_newer_releases_accept() -> None:
    text = normalized(kustomization("metadata.labels.`a/b` == 'x'"))

    async def rules(*targets: str) -> set[str]:
        pool = LintPool(1.0, 20.0, targets=targets)
        await pool.start()
        found = (await pool.lint(text, opt_out=False)).findings
        await pool.stop()
        return {each.rule for each in found}

    async def main() -> None:
        assert "cel-syntax" not in await rules()
        assert "cel-syntax" in await rules("flux=2.9", "flux-operator=0.57")

    run(main)
