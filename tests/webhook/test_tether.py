"""What a worker leaves, and the one after it inherits."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import pytest

from celvet.webhook.process.channel import MAX_LINE, Legacy, Tether, inherited


def heard(fd: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in os.read(fd, 1 << 16).splitlines()]


def test_a_legacy_comes_through_whatever_the_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    left = {"policy": "é: 1".encode("utf-16"), "certificate": b"\xff\n", "key": b""}
    legacy = Legacy()
    source, target = os.pipe()
    for name, content in left.items():
        message = {"legacy": {name: content.decode("latin-1")}}
        legacy = legacy.with_(message).with_({"problem": None})
    os.write(target, legacy.to_json())
    monkeypatch.setattr(
        "celvet.webhook.process.channel.os.read", lambda _, size, read=os.read: read(source, size)
    )
    got = inherited()
    assert got.policy_file == left["policy"]
    assert got.pair == (left["certificate"], left["key"])
    os.close(target)
    assert inherited() == Legacy()
    assert Legacy().pair is None
    os.close(source)


def test_what_is_left_before_the_pipe_is_there_is_said_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, target = os.pipe()

    async def main() -> None:
        monkeypatch.setattr(sys, "stdout", os.fdopen(target, "wb", 0))
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "add_reader", lambda *_: None)
        tether = Tether()
        tether.leave(policy=b"x")
        tether.leave(policy=b"x" * MAX_LINE)
        tether.say_problem("too early")
        await tether.connect(lambda: None)
        tether.say_problem(None)
        assert heard(source) == [{"legacy": {"policy": "x"}}, {"problem": None}]

    asyncio.run(main())
    os.close(source)


def test_a_supervisor_that_reads_nothing_does_not_stop_a_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, target = os.pipe()

    async def main() -> None:
        monkeypatch.setattr(sys, "stdout", os.fdopen(target, "wb", 0))
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "add_reader", lambda *_: None)
        tether = Tether()
        await tether.connect(lambda: None)
        for _ in range(20_000):
            tether.say_problem("x" * 20)
        assert tether._pipe
        assert tether._pipe.get_write_buffer_size() < 1 << 17

    asyncio.run(main())
    os.close(source)
