"""Judging processes: real ones, with objects that cost too much."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from celvet.lint.model import GroupKind
from celvet.webhook.crds.store import Definitions, pack
from celvet.webhook.decide.normalize import subject
from celvet.webhook.judging.pool import SMALL, Court
from celvet.webhook.judging.process import JudgeDiedError
from celvet.webhook.lint_result import Judgement
from tests.webhook.crd_server import crd
from tests.webhook.reviews import kustomization
from tests.webhook.serving import children

GOOD = subject(kustomization("status.a == 1"))
BAD = subject(kustomization("status.a =="))


def unseen(name: str) -> bytes:
    """An object with a mistake that no other test shows to the shared court."""
    return subject(kustomization(f"status.{name} =="))


def costly(number: int, entries: int = 12) -> bytes:
    """An object that takes many seconds: a dozen lists of 30,000 elements each."""
    value = kustomization("true")
    text = f"[{number}," + ",".join(["1"] * 30_000) + "] == []"
    value["spec"]["healthCheckExprs"] = [
        {"apiVersion": "example.com/v1", "kind": f"X{index}", "current": text}
        for index in range(entries)
    ]
    return subject(value)


@asynccontextmanager
async def court(seconds: float = 1.0, patience: float = 20.0) -> AsyncIterator[Court]:
    made = Court(seconds, patience)
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(main(), 100))


Use = Callable[[Callable[[Court], Coroutine[Any, Any, None]]], None]


@pytest.fixture(scope="module")
def shared() -> Iterator[Use]:
    """Runs what is given with a court that the tests share; each leaves it able to judge."""
    with asyncio.Runner() as runner:
        context = court()
        judge = runner.run(context.__aenter__())
        yield lambda main: runner.run(asyncio.wait_for(main(judge), 100))
        runner.run(context.__aexit__(None, None, None))


def test_judgements(shared: Use) -> None:
    async def main(judge: Court) -> None:
        assert judge.ready
        good = await judge.judge(GOOD, opt_out=False)
        assert [each.rule for each in good.objections] == ["missing-failed"]
        bad = await judge.judge(BAD, opt_out=False)
        assert bad.objections[0].rule == "cel-syntax"

    shared(main)


def test_opting_out_makes_another_judgement(shared: Use) -> None:
    value = kustomization("status.a ==")
    value["metadata"]["annotations"] = {"celvet.dev/ignore": "cel-syntax, missing-failed"}

    async def main(judge: Court) -> None:
        assert (await judge.judge(subject(value), opt_out=False)).objections
        assert not (await judge.judge(subject(value), opt_out=True)).objections

    shared(main)


def test_what_costs_too_much_is_given_up_and_the_next_is_judged(shared: Use) -> None:
    async def main(judge: Court) -> None:
        assert await judge.judge(costly(1), opt_out=False) == Judgement(exhausted=True)
        assert (await judge.judge(unseen("next"), opt_out=False)).objections
        large = kustomization("status.a ==")
        large["spec"]["patches"] = [{"patch": "x" * SMALL}]
        assert (await judge.judge(subject(large), opt_out=False)).objections

    shared(main)


def test_a_small_object_that_takes_long_moves_to_the_other_lane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("celvet.webhook.judging.pool.QUICK", 0.004)
    value = kustomization("status.a ==")
    value["spec"]["healthCheckExprs"] += [
        {"apiVersion": "example.com/v1", "kind": f"X{index}", "current": f"status.a == {index}"}
        for index in range(150)
    ]
    text = subject(value)
    assert len(text) < SMALL

    async def main() -> None:
        async with court(seconds=30) as judge:
            assert (await judge.judge(text, opt_out=False)).objections

    run(main)


def test_small_objects_do_not_wait_for_costly_ones() -> None:
    async def main() -> None:
        async with court(seconds=60, patience=60) as judge:
            waiting = [
                asyncio.create_task(judge.judge(costly(number), opt_out=False))
                for number in range(3)
            ]
            await asyncio.sleep(0)
            for number in range(20):
                text = subject(kustomization(f"status.a == {number} &&"))
                assert (await judge.judge(text, opt_out=False)).objections
            assert not any(task.done() for task in waiting)
            for task in waiting:
                task.cancel()

    run(main)


def test_nobody_waits_longer_than_the_patience() -> None:
    async def main() -> None:
        async with court(seconds=60, patience=0.5) as judge:
            assert (await judge.judge(costly(1), opt_out=False)).exhausted

    run(main)


def processes(judge: Court) -> list[int]:
    return [lane._process.pid for lane in judge._lanes if lane._process]


def kill(judge: Court, number: signal.Signals = signal.SIGKILL) -> None:
    for pid in processes(judge):
        os.kill(pid, number)


def test_a_judge_that_is_killed_costs_no_request() -> None:
    async def main() -> None:
        async with court() as judge:
            kill(judge)
            assert (await judge.judge(BAD, opt_out=False)).objections

    run(main)


def test_a_judge_that_dies_of_an_object_is_an_error() -> None:
    async def main() -> None:
        async with court(seconds=60, patience=60) as judge:
            asked = asyncio.create_task(judge.judge(costly(1), opt_out=False))
            for _ in range(2):
                before = await working(judge)
                os.kill(before, signal.SIGKILL)
                while before in processes(judge):
                    await asyncio.sleep(0.01)
            with pytest.raises(JudgeDiedError, match="status -9"):
                await asked
            assert (await judge.judge(BAD, opt_out=False)).objections

    async def working(judge: Court) -> int:
        while not (lane := judge._lanes[1])._waiting.busy or not lane.ready:
            await asyncio.sleep(0.01)
        assert lane._process
        return lane._process.pid

    run(main)


def test_a_judge_that_is_killed_at_rest_is_started_anew() -> None:
    async def main() -> None:
        async with court() as judge:
            before = processes(judge)
            kill(judge)
            while not judge.ready or set(before) & set(processes(judge)):
                await asyncio.sleep(0.01)

    run(main)


def test_a_judge_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.webhook.judging.slot._GLANCE", 0.2)

    async def main() -> None:
        async with court(patience=1.0) as judge:
            before = processes(judge)
            stop_all(judge)
            while set(before) & set(processes(judge)):
                await asyncio.sleep(0.01)
            stop_all(judge)
            assert (await judge.judge(BAD, opt_out=False)).exhausted
            while not (await judge.judge(BAD, opt_out=False)).objections:
                await asyncio.sleep(0.01)

    def stop_all(judge: Court) -> None:
        for pid in processes(judge):
            for each in (*children(pid), pid):
                os.kill(each, signal.SIGSTOP)

    run(main)


def test_judges_ignore_what_is_sent_to_the_whole_group() -> None:
    async def main() -> None:
        async with court() as judge:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                for pid in processes(judge):
                    for each in (pid, *children(pid)):
                        os.kill(each, number)
            before = processes(judge)
            assert (await judge.judge(BAD, opt_out=False)).objections
            assert processes(judge) == before

    run(main)


def test_what_nobody_waits_for_is_not_judged() -> None:
    async def main() -> None:
        async with court(seconds=2, patience=4.0) as judge:
            hostile = [judge.judge(costly(number), opt_out=False) for number in range(12)]
            assert all(each.exhausted for each in await asyncio.gather(*hostile))
            assert len(judge._cases) <= 1  # the one that was begun
            while judge._lanes[1]._waiting.busy:
                await asyncio.sleep(0.01)
            assert len(judge._memory) <= 3
            large = kustomization("status.a ==")
            large["spec"]["patches"] = [{"patch": "x" * SMALL}]
            assert (await judge.judge(subject(large), opt_out=False)).objections

    run(main)


def test_the_same_object_is_judged_once() -> None:
    async def main() -> None:
        async with court() as judge:
            text = BAD
            both = await asyncio.gather(*(judge.judge(text, opt_out=False) for _ in range(2)))
            assert both[0] is both[1]
            kill(judge)
            assert await judge.judge(text, opt_out=False) is both[0]

    run(main)


def test_hostile_texts_are_judged_or_given_up() -> None:
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
        async with court(seconds=10, patience=60) as judge:
            for name, text in texts.items():
                found = await judge.judge(subject(kustomization(text)), opt_out=False)
                assert not found.crashes, name

    run(main)


def test_deep_objects(shared: Use) -> None:
    value = kustomization("true")
    deep: Any = {}
    for _ in range(400):
        deep = {"a": [deep]}
    value["spec"]["postBuild"] = deep

    async def main(judge: Court) -> None:
        assert not (await judge.judge(subject(value), opt_out=False)).crashes

    shared(main)


def test_what_was_judged_by_other_definitions_is_judged_again() -> None:
    kind = GroupKind("example.com", "X")

    async def main() -> None:
        known = Definitions()
        judge = Court(1.0, 20.0, (), known)
        await judge.start()
        text = subject(kustomization("status.phases == 'a'"))

        async def rules() -> set[str]:
            judgement = await judge.judge(text, opt_out=False)
            return {each.rule for each in judgement.objections}

        assert "crd-field" not in await rules()
        known.publish({kind: pack(crd("X", phase="string"))})
        assert "crd-field" in await rules()
        known.publish({kind: pack(crd("X", phases="string"))})
        assert "crd-field" not in await rules()
        known.publish({kind: pack(crd("X", phase="string"))})
        kill(judge)
        assert "crd-field" in await rules()
        assert (await judge.judge(costly(1), opt_out=False)).exhausted  # by another child
        other = subject(kustomization("status.phases == 'b'"))
        found = (await judge.judge(other, opt_out=False)).objections
        assert "crd-field" in {each.rule for each in found}
        known.publish({})
        assert "crd-field" not in await rules()
        await judge.stop()

    run(main)
