"""Real judging processes, with objects that cost too much."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import tracemalloc
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from celvet import schemas
from celvet.lint.model import GroupKind, Severity
from celvet.webhook.crds.store import CrdStore, pack
from celvet.webhook.decide.review import peek
from celvet.webhook.judgement import GIVEN_UP, FindingRecord, Judgement
from celvet.webhook.judging import frames
from celvet.webhook.judging.child import ChildSettings
from celvet.webhook.judging.pool import JudgingPool, _bytes
from celvet.webhook.judging.process import JudgingProcess, ProcessDiedError, ReviewLimitError
from celvet.webhook.memory_budget import SMALL_BODY
from tests.webhook.crd_server import crd
from tests.webhook.reviews import kustomization, review

GOOD = kustomization("status.a == 1")
BAD = kustomization("status.a ==")
_SETTINGS = ChildSettings(512 << 20)


def unseen(name: str) -> dict[str, Any]:
    """An object with a mistake that no other test shows to the shared pool."""
    return kustomization(f"status.{name} ==")


def large(object_: dict[str, Any]) -> dict[str, Any]:
    """The same object, too large for the event loop to read."""
    object_["spec"]["patches"] = [{"patch": "x" * SMALL_BODY}]
    return object_


def costly(number: int, entries: int = 12) -> dict[str, Any]:
    """An object that takes many seconds: a dozen lists of 30,000 elements each."""
    value = kustomization("true")
    rest = ",".join(["1"] * 30_000)
    value["spec"]["healthCheckExprs"] = [
        {
            "apiVersion": "example.com/v1",
            "kind": f"X{index}",
            "current": f"[{number},{index},{rest}] == []",
        }
        for index in range(entries)
    ]
    return value


def small_and_costly() -> dict[str, Any]:
    """A small object that takes longer than small ones may."""
    value = kustomization("status.a ==")
    value["spec"]["healthCheckExprs"] += [
        {"apiVersion": "example.com/v1", "kind": f"X{index}", "current": f"status.a == {index}"}
        for index in range(150)
    ]
    return value


async def judge(
    pool: JudgingPool, object_: dict[str, Any], old: dict[str, Any] | None = None, *off: str
) -> Judgement:
    """The judgement of a new object, or of an update, without rules `off`."""
    fields: dict[str, Any] = {"operation": "UPDATE", "oldObject": old} if old else {}
    body = json.dumps(review(object_, **fields)).encode()
    return await pool.judge(body, peek(body), frozenset(off))


async def rules(pool: JudgingPool, object_: dict[str, Any]) -> set[str]:
    return {each.rule for each in (await judge(pool, object_)).findings}


class Pool(JudgingPool):
    """A pool that counts why its processes are replaced, and its hits."""

    def __init__(self, timeout: float = 20.0, **given: Any) -> None:
        self.reasons: Counter[str] = Counter()
        settings = ChildSettings(
            given.pop("memory", _SETTINGS.memory), targets=given.pop("targets", ())
        )
        super().__init__(
            settings,
            schemas.load(),
            timeout=timeout,
            replaced=lambda reason: self.reasons.update([reason]),
            cached=lambda: self.reasons.update(["cached"]),
            **given,
        )


@asynccontextmanager
async def running_pool(timeout: float = 20.0, **given: Any) -> AsyncIterator[Pool]:
    made = Pool(timeout, **given)
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(main(), 600))


Use = Callable[[Callable[[Pool], Coroutine[Any, Any, None]]], None]


@pytest.fixture(scope="module")
def shared() -> Iterator[Use]:
    """Runs a function with a pool that the tests share; each leaves it able to judge."""
    with asyncio.Runner() as runner:
        context = running_pool(timeout=4.0)
        pool = runner.run(context.__aenter__())
        yield lambda main: runner.run(asyncio.wait_for(main(pool), 600))
        runner.run(context.__aexit__(None, None, None))


@pytest.mark.parametrize("shape", [lambda each: each, large], ids=["small", "large"])
def test_judgements(shared: Use, shape: Callable[[Any], Any]) -> None:
    async def main(pool: Pool) -> None:
        assert pool.ready
        good = await judge(pool, shape(kustomization("status.a == 1")))
        assert [each.rule for each in good.findings] == ["missing-failed"]
        bad = await judge(pool, shape(kustomization("status.a ==")))
        assert (bad.findings[0].rule, bad.findings[0].is_old) == ("cel-syntax", False)
        old = shape(kustomization("status.a =="))
        old["spec"]["interval"] = "2h"
        update = await judge(pool, shape(kustomization("status.a ==")), old)
        assert (update.findings[0].rule, update.findings[0].is_old) == ("cel-syntax", True)

    shared(main)


def test_an_object_beyond_the_limit_is_given_up_and_the_next_is_judged(shared: Use) -> None:
    async def main(pool: Pool) -> None:
        assert await judge(pool, costly(1)) == GIVEN_UP
        assert (await judge(pool, unseen("next"))).findings
        assert (await judge(pool, large(unseen("next")))).findings

    shared(main)


def test_an_old_object_beyond_the_limit_excuses_nothing(shared: Use) -> None:
    async def main(pool: Pool) -> None:
        found = await judge(pool, BAD, costly(2))
        assert (found.findings[0].rule, found.findings[0].is_old) == ("cel-syntax", False)

    shared(main)


def test_a_small_object_that_takes_long_moves_to_the_other_slot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("celvet.webhook.judging.pool.SMALL_SECONDS", 0.004)

    async def main() -> None:
        async with running_pool(timeout=30) as pool:
            assert (await judge(pool, small_and_costly())).findings
            (limited,) = pool._limited._results.values()
            other = small_and_costly()
            other["spec"]["interval"] = "2h"
            assert (await judge(pool, other)).findings
            (still_limited,) = pool._limited._results.values()
            assert still_limited > limited
            assert pool.reasons == {"limit": 1}

    run(main)


def test_the_spare_process_takes_over_from_one_that_ended() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            idle, spare = await small_ones(pool)
            os.kill(idle.pid, signal.SIGKILL)
            while not idle.ended:
                await asyncio.sleep(0.01)
            assert (await judge(pool, unseen("n1"))).findings
            first, second = await small_ones(pool)
            assert first is spare
            assert second.pid not in (idle.pid, spare.pid)
            assert pool.reasons == {"died": 1}

    run(main)


def test_a_spare_process_that_ended_is_not_used() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            ended = await small_ones(pool)
            for process in ended:
                os.kill(process.pid, signal.SIGKILL)
            while not all(process.ended for process in ended):
                await asyncio.sleep(0.01)
            assert (await judge(pool, unseen("n1"))).findings
            assert pool.reasons == {"died": 2}

    run(main)


def test_small_objects_do_not_wait_for_costly_ones() -> None:
    async def main() -> None:
        async with running_pool(timeout=60) as pool:
            waiting = [asyncio.create_task(judge(pool, costly(number))) for number in range(3)]
            await asyncio.sleep(0)
            for number in range(20):
                assert (await judge(pool, kustomization(f"status.a == {number} &&"))).findings
            assert not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    run(main)


def test_who_took_all_of_the_time_gets_less_until_it_is_not_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others' large objects wait for the one that runs."""
    limits: list[float] = []
    judge_whole = JudgingProcess.judge

    async def judge_third(process: JudgingProcess, request: Any, crds: Any) -> None:
        limits.append(request.seconds)
        if len(limits) > 2:
            await judge_whole(process, request, crds)
            return
        await process.stop()
        raise ReviewLimitError

    monkeypatch.setattr(JudgingProcess, "judge", judge_third)

    async def main() -> None:
        async with running_pool() as pool:
            judgements = [await judge(pool, large(kustomization("status.a =="))) for _ in range(23)]
            assert [each == GIVEN_UP for each in judgements] == [True] * 2 + [False] * 21
            assert limits == [16.0] + [2.0] * 21 + [16.0]

    run(main)


def test_nobody_waits_longer_than_the_timeout() -> None:
    async def main() -> None:
        async with running_pool(timeout=0.5) as pool:
            assert await judge(pool, costly(1)) == GIVEN_UP

    run(main)


def processes(pool: JudgingPool) -> list[int]:
    """Those that judge next, without those that take over."""
    tasks = [*pool._small._processes][:-1] + [*pool._large._processes][:-1]
    started = [task.result() for task in tasks if task.done()]
    return [process.pid for process in started if not process.ended]


async def small_ones(pool: JudgingPool) -> list[JudgingProcess]:
    """The process for small reviews, and the one that takes over when it ends."""
    return await asyncio.gather(*pool._small._processes)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_killed_processes_cost_no_review_and_no_file() -> None:
    async def main() -> None:
        async with running_pool(processes=3) as pool:
            assert len(processes(pool)) == 3
            before = open_files()
            gc.disable()  # otherwise it would close connections that nobody else closes
            try:
                for number in range(5):
                    for pid in processes(pool):
                        os.kill(pid, signal.SIGKILL)
                    assert (await judge(pool, unseen(f"n{number}"))).findings
                    assert (await judge(pool, large(unseen(f"n{number}")))).findings
                assert open_files() <= before
            finally:
                gc.enable()

    run(main)


def test_an_object_that_ends_two_processes_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    judging: list[int] = []
    judge_in_process = JudgingProcess.judge

    async def remembering(process: JudgingProcess, *given: Any) -> None:
        judging.append(process.pid)
        await judge_in_process(process, *given)

    monkeypatch.setattr(JudgingProcess, "judge", remembering)

    async def main() -> None:
        async with running_pool(timeout=60) as pool:
            asked = asyncio.create_task(judge(pool, costly(1)))
            for count in (1, 2):
                while len(judging) < count:
                    await asyncio.sleep(0.01)
                os.kill(judging[-1], signal.SIGKILL)
            with pytest.raises(ProcessDiedError, match="status -9"):
                await asked
            assert (await judge(pool, BAD)).findings

    run(main)


def test_a_process_that_does_not_answer_is_replaced() -> None:
    async def main() -> None:
        async with running_pool(timeout=3.0) as pool:
            for pid in processes(pool):
                os.kill(pid, signal.SIGSTOP)
            assert await judge(pool, BAD) == GIVEN_UP
            assert (await judge(pool, BAD)).findings
            assert pool.reasons == {"timeout": 2}

    run(main)


def test_processes_ignore_signals_to_the_whole_group() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            before = processes(pool)
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                for pid in before:
                    os.kill(pid, number)
            assert (await judge(pool, BAD)).findings
            assert set(processes(pool)) == set(before)

    run(main)


def roomy() -> dict[str, Any]:
    """An object that takes 33 MiB to judge, which the process keeps."""
    object_ = large(kustomization("status.a =="))
    object_["spec"]["x"] = [{"a": [index]} for index in range(90_000)]
    return object_


def test_a_process_that_has_grown_is_replaced() -> None:
    """By a third of its memory, 20 MiB."""

    async def main() -> None:
        async with running_pool(memory=60 << 20) as pool:
            before = processes(pool)
            object_ = roomy()
            for _ in range(4):
                assert (await judge(pool, object_)).findings
            assert set(pool.reasons) == {"grown"}
            assert len(set(before) - set(processes(pool))) == 1

    run(main)


def test_memory_is_a_limit() -> None:
    async def main() -> None:
        async with running_pool(memory=16 << 20) as pool:
            assert await judge(pool, roomy()) == GIVEN_UP
            assert pool.reasons == {"limit": 1}

    run(main)


def test_a_request_that_nobody_waits_for_is_dropped() -> None:
    async def main() -> None:
        async with running_pool(timeout=2.0) as pool:
            hostile = [judge(pool, costly(number)) for number in range(12)]
            assert all(each == GIVEN_UP for each in await asyncio.gather(*hostile))
            assert pool.waiting == 0
            while not (await judge(pool, large(unseen("next")))).findings:
                pass  # on a busy machine a try may take longer than the timeout

    run(main)


def test_while_others_wait_only_errors_are_looked_for() -> None:
    async def main() -> None:
        async with running_pool(timeout=30) as pool:
            objects = [kustomization(f"status.busy == {number}") for number in range(5)]
            found = await asyncio.gather(*(judge(pool, each) for each in objects))
            complete = [each.complete for each in found]
            assert not any(complete[:3])
            assert any(complete)
            assert [len(each.findings) for each in found] == complete
            for each in objects:
                assert (await judge(pool, each)).complete
            assert pool.reasons == {"cached": sum(complete)}

    run(main)


def test_one_object_after_the_other_is_completed_and_none_waits_for_it() -> None:
    async def main() -> None:
        async with running_pool(timeout=30) as pool:
            objects = [kustomization(f"status.done == {number}") for number in range(5)]
            found = await asyncio.gather(*(judge(pool, each) for each in objects))
            # When the last one is judged, the one before may have been completed.
            first = sum(each.complete for each in found)
            assert first in (1, 2)
            later = range(first + 1, 5)
            for count in later:
                found = await asyncio.gather(*(judge(pool, each) for each in objects))
                assert sum(each.complete for each in found) == count
            assert pool.reasons["cached"] == len(later) * 4

    run(main)


def test_an_object_seen_before_needs_no_process() -> None:
    async def main() -> None:
        async with running_pool() as pool:
            first = await judge(pool, BAD)
            await pool.stop()
            assert (await judge(pool, BAD)).findings == first.findings
            assert pool.reasons == {"cached": 1}
            status = {**BAD, "status": {"a": 1}}
            assert (await judge(pool, status)).findings == first.findings

    run(main)


def test_the_cache_takes_no_more_than_its_bytes() -> None:
    long = "\U0001f600" * 1000
    finding = FindingRecord("r", Severity.ERROR, "spec.x", long, long)
    judgement = Judgement((finding,) * 50)
    tracemalloc.start()
    try:
        copy = msgspec.json.decode(msgspec.json.encode(judgement), type=Judgement)
        assert copy == judgement
        assert _bytes(judgement) >= tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_a_process_that_claims_too_much_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        monkeypatch.setattr(frames, "MOST", 10)
        async with running_pool() as pool:
            with pytest.raises(ProcessDiedError):
                await judge(pool, unseen("claims"))

    run(main)


def test_a_rule_that_is_off_finds_nothing_until_it_is_on(shared: Use) -> None:
    async def main(pool: Pool) -> None:
        for value in (unseen("off"), large(unseen("off"))):
            for _ in range(2):
                without = await judge(pool, value, None, "cel-syntax")
                assert [each.rule for each in without.findings] == ["missing-failed"]
                assert await rules(pool, value) == {"cel-syntax"}

    shared(main)


def test_hostile_texts_are_judged_or_given_up() -> None:
    texts = {
        "operands": " || ".join(["status.a"] * 10_000),
        "brackets": "(" * 50_000 + "1" + ")" * 50_000,
        "macros": "[1].exists(a," * 40 + "true" + ")" * 40,
        "garbage": "\\" * 99_000,
        "a megabyte": "'" + "a" * 1_000_000 + "'",
        "null bytes": "\0" * 1000,
    }

    async def main() -> None:
        async with running_pool(timeout=12) as pool:
            for name, text in texts.items():
                assert not (await judge(pool, kustomization(text))).crashes, name

    run(main)


def test_deep_objects(shared: Use) -> None:
    value = kustomization("true")
    deep: Any = {}
    for _ in range(400):
        deep = {"a": [deep]}
    value["spec"]["postBuild"] = deep

    async def main(pool: Pool) -> None:
        assert not (await judge(pool, value)).crashes

    shared(main)


def test_other_crds_invalidate_the_cache() -> None:
    kind = GroupKind("example.com", "X")
    value = kustomization("status.phases == 'a'")

    async def main() -> None:
        crds = CrdStore()
        async with running_pool(crds=crds) as pool:
            assert "crd-field" not in await rules(pool, value)
            crds.publish({kind: pack(crd("X", phase="string"))})
            assert "crd-field" in await rules(pool, value)
            crds.publish({kind: pack(crd("X", phases="string"))})
            assert "crd-field" not in await rules(pool, value)
            crds.publish({kind: pack(crd("X", phase="string"))})
            for pid in processes(pool):
                os.kill(pid, signal.SIGKILL)
            assert "crd-field" in await rules(pool, value)
            other = kustomization("status.phases == 'b'")
            assert "crd-field" in await rules(pool, other)
            crds.publish({})
            assert "crd-field" not in await rules(pool, value)

    run(main)


def test_a_target_refuses_what_only_newer_releases_accept() -> None:
    value = kustomization("metadata.labels.`a/b` == 'x'")

    async def main() -> None:
        async with running_pool() as pool:
            assert "cel-syntax" not in await rules(pool, value)
        older = (("flux", "2.9"), ("flux-operator", "0.57"))
        async with running_pool(targets=older) as pool:
            assert "cel-syntax" in await rules(pool, value)

    run(main)
