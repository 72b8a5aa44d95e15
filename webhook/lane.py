"""One judging process seen from the worker: started, asked, buried, started again."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from lint.model import GroupKind
from webhook import wire
from webhook.definitions import Definitions
from webhook.objection import Judgement

_log = logging.getLogger(__name__)

_PATIENCE = 120.0
"""Seconds of silence after which a process is taken for dead: its own limits come first."""


_DYING = 0.5
"""Seconds for a process to end by itself after its output or its input has."""


class ExhaustedError(Exception):
    """The object costs more processor time than it may."""


class JudgeDiedError(Exception):
    """The judging process ended for another reason; the next question gets another one."""


class Lane:
    """A judging process that answers one question at a time.

    `seconds` is the processor time that one object may take, and `definitions` what
    the process is told of CRDs before it is asked.
    """

    def __init__(self, seconds: float, schemas: Sequence[Path], definitions: Definitions) -> None:
        self._seconds = seconds
        self._schemas = schemas
        self._definitions = definitions
        self._told: Mapping[GroupKind, bytes] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._revival: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether a process waits for questions, or works on one."""
        return self._process is not None

    async def start(self) -> None:
        """Have a warm process; raises `JudgeDiedError`."""
        async with self._turn:
            await self._started()

    async def ask(self, text: bytes, *, opt_out: bool) -> Judgement:
        """The judgement of an object; raises `ExhaustedError`, `JudgeDiedError`."""
        async with self._turn:
            process = await self._started()
            try:
                question = wire.question(text, opt_out=opt_out, seconds=self._seconds)
                return await self._answered(process, self._news() + question)
            except (ExhaustedError, JudgeDiedError):
                self._revival = asyncio.create_task(self._revive())
                raise

    async def stop(self) -> None:
        """End the process; nobody asks any more."""
        if self._revival:
            self._revival.cancel()
            await asyncio.gather(self._revival, return_exceptions=True)
        if process := self._process:
            cast(asyncio.StreamWriter, process.stdin).close()
            await self._buried(process)

    async def _started(self) -> asyncio.subprocess.Process:
        """The process, which begins with an answer that nobody asked for: it is warm."""
        if self._process is None:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "webhook.judging",
                *map(str, self._schemas),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            await self._answered(process, b"")
            self._process = process
            self._told = {}
        return self._process

    def _news(self) -> bytes:
        """What the process has not been told yet of CRDs."""
        before, now = self._told, self._definitions.kinds
        if before is now:
            return b""
        self._told = now
        changed = [each for each in before.keys() | now if before.get(each) != now.get(each)]
        return b"".join(wire.news(each, now.get(each, b"")) for each in changed)

    async def _answered(self, process: asyncio.subprocess.Process, question: bytes) -> Judgement:
        """What a process answers; one that does not, or that nobody waits for, is ended."""
        try:
            stdin = cast(asyncio.StreamWriter, process.stdin)
            stdin.write(question)
            await stdin.drain()
            return await _answer(process)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            raise await self._buried(process) from error
        except asyncio.CancelledError:
            _kill(process)
            await self._buried(process)
            raise

    async def _buried(self, process: asyncio.subprocess.Process) -> ExhaustedError | JudgeDiedError:
        """Make sure that a process is gone; what its end means."""
        self._process = None
        status = await _ended(process)
        if status == -signal.SIGPROF:
            return ExhaustedError()
        return JudgeDiedError(f"the judging process ended with status {status}")

    async def _revive(self) -> None:
        try:
            await self.start()
        except JudgeDiedError as error:
            _log.error("%s as it started", error)


async def _answer(process: asyncio.subprocess.Process) -> Judgement:
    stdout = cast(asyncio.StreamReader, process.stdout)
    async with asyncio.timeout(_PATIENCE):
        head = await stdout.readexactly(wire.LENGTH.size)
        return wire.read_answer(await stdout.readexactly(*wire.LENGTH.unpack(head)))


async def _ended(process: asyncio.subprocess.Process) -> int:
    """The status of a process that has ended, or is made to."""
    try:
        return await asyncio.wait_for(process.wait(), _DYING)
    except TimeoutError:
        _kill(process)
        return await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill it, not by `process.kill`.

    That looks whether it has ended already, and so takes the status away from asyncio,
    which then knows none.
    """
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
