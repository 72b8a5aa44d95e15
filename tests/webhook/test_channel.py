"""The state that a worker hands over to the next one."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import pytest

from celvet.webhook.process.channel import MAX_LINE, Handover, SupervisorChannel, read_handover


def lines(fd: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in os.read(fd, 1 << 16).splitlines()]


def test_any_bytes_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {"policy": "é: 1".encode("utf-16"), "certificate": b"\xff\n", "key": b""}
    handover = Handover()
    source, target = os.pipe()
    for name, content in sent.items():
        message = {"handover": {name: content.decode("latin-1")}}
        handover = handover.updated(message).updated({"problem": None})
    os.write(target, handover.to_json())
    monkeypatch.setattr(
        "celvet.webhook.process.channel.os.read", lambda _, size, read=os.read: read(source, size)
    )
    got = read_handover()
    assert got.policy_file == sent["policy"]
    assert got.pair == (sent["certificate"], sent["key"])
    os.close(target)
    assert read_handover() == Handover()
    assert Handover().pair is None
    os.close(source)


def test_a_handover_before_the_connection_is_sent_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, target = os.pipe()

    async def main() -> None:
        monkeypatch.setattr(sys, "stdout", os.fdopen(target, "wb", 0))
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "add_reader", lambda *_: None)
        channel = SupervisorChannel()
        channel.send_handover(policy=b"x")
        channel.send_handover(policy=b"x" * MAX_LINE)
        channel.send_problem("too early")
        await channel.connect(lambda: None)
        channel.send_problem(None)
        assert lines(source) == [{"handover": {"policy": "x"}}, {"problem": None}]

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
        channel = SupervisorChannel()
        await channel.connect(lambda: None)
        for _ in range(20_000):
            channel.send_problem("x" * 20)
        assert channel._pipe
        assert channel._pipe.get_write_buffer_size() < 1 << 17

    asyncio.run(main())
    os.close(source)
