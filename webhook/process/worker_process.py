"""A worker as the supervisor sees it: start, heartbeats, end."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from signal import SIGKILL, Signals
from typing import Any, cast

from celvet.webhook.options import ServeOptions
from celvet.webhook.process.channel import MAX_LINE, Handover

_log = logging.getLogger(__name__)

_INTERVAL = 1.0
"""Seconds within which a worker sends two heartbeats."""

_NOT_READY_AFTER, _KILLED_AFTER = 5, 15
"""Intervals without a heartbeat."""

_STARTING = 60
"""Intervals that a worker may take to its first heartbeat."""

_ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_": "327680", "MALLOC_TRIM_THRESHOLD_": "1048576"}
"""Makes the C library return the memory of large bodies; by default it adapts and keeps it.

The threshold is above the 256 KiB that asyncio asks for at each read: to map those costs
a fifth of the throughput.
"""


class WorkerProcess:
    """A process that serves."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, options: ServeOptions, handover: Handover) -> WorkerProcess:
        """Start one; raises `OSError`.

        A session of its own keeps the terminal's SIGINT away: the supervisor passes it on.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "celvet.webhook.process.worker",
            options.to_json(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=[options.listener],
            start_new_session=True,
            limit=2 * MAX_LINE,
            env=_ENVIRONMENT | os.environ,
        )
        cast(asyncio.StreamWriter, process.stdin).write(handover.to_json())
        return cls(process)

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """The messages until its end, and one if heartbeats are missing; then it is killed."""
        missed, allowed = 0, _STARTING
        lines = cast(asyncio.StreamReader, self._process.stdout)
        reading = asyncio.create_task(lines.readline())
        while True:
            await asyncio.wait({reading}, timeout=_INTERVAL)
            if reading.done():
                if not (line := reading.result()):
                    return
                yield json.loads(line)
                missed, allowed = 0, _KILLED_AFTER
                reading = asyncio.create_task(lines.readline())
                continue
            # Intervals are counted, not seconds: all processes may have been stopped together.
            missed += 1
            if missed == _NOT_READY_AFTER and allowed == _KILLED_AFTER:
                yield {"problem": "a worker is silent"}
            if missed == allowed:
                _log.error("a worker is silent: it is killed")
                self.send(SIGKILL)

    async def status(self) -> int:
        """Wait for its end; the exit status, or minus the signal."""
        return await self._process.wait()

    def send(self, number: Signals) -> None:
        """Send a signal, if it has not ended."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)
