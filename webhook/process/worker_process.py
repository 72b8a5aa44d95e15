"""A worker seen from the supervisor: started, listened to, killed when it is silent."""

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

from celvet.webhook.options import Options
from celvet.webhook.process.channel import MAX_LINE, Legacy

_log = logging.getLogger(__name__)

_PULSE = 1.0
"""Seconds within which a worker gives two signs of life."""

_NOTICED, _KILLED = 5, 15
"""After so many pulses without one it is told as silent, and killed."""

_STARTING = 60
"""Pulses that a worker may take to its first sign of life."""

_ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_": "327680", "MALLOC_TRIM_THRESHOLD_": "1048576"}
"""The C library's allocator gives large bodies back; left alone it learns to keep them.

Above the 256 KiB that asyncio asks for at each read: to map those costs a fifth of the
throughput.
"""


class WorkerProcess:
    """A process that was started, with what the one before left."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, options: Options, legacy: Legacy) -> WorkerProcess:
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
        cast(asyncio.StreamWriter, process.stdin).write(legacy.to_json())
        return cls(process)

    async def messages(self) -> AsyncIterator[dict[str, Any]]:
        """What it says until its end, and that it says nothing, of which it dies."""
        silent, allowed = 0, _STARTING
        lines = cast(asyncio.StreamReader, self._process.stdout)
        reading = asyncio.create_task(lines.readline())
        while True:
            await asyncio.wait({reading}, timeout=_PULSE)
            if reading.done():
                if not (line := reading.result()):
                    return
                yield json.loads(line)
                silent, allowed = 0, _KILLED
                reading = asyncio.create_task(lines.readline())
                continue
            # Pulses are counted, not seconds: all processes may have been stopped together.
            silent += 1
            if silent == _NOTICED and allowed == _KILLED:
                yield {"problem": "a worker is silent"}
            if silent == allowed:
                _log.error("a worker is silent: it is killed")
                self.send(SIGKILL)

    async def status(self) -> int:
        """Wait for its end; the exit status, or less the signal."""
        return await self._process.wait()

    def send(self, number: Signals) -> None:
        """Send a signal, if it has not ended."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)
