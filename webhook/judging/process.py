"""A judging process seen from the worker: started, told, asked, ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from celvet.lint.model import GroupKind
from celvet.webhook.judging import protocol as wire
from celvet.webhook.lint_result import Judgement

_STARTING = 60.0
"""Seconds for a process to be warm."""

_DYING = 0.5
"""Seconds for a process to end by itself after its output or its input has."""


class ExhaustedError(Exception):
    """The object costs more processor time than it may."""


class SilentError(Exception):
    """The process gave no answer in time, stopped or starved, and was ended."""


class JudgeDiedError(Exception):
    """The process ended for another reason."""


class JudgingProcess:
    """A warm process; one that fails to answer has ended, and is of no use any more."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._told: Mapping[GroupKind, bytes] = {}

    @classmethod
    async def start(cls, schemas: Sequence[Path], niceness: int = 0) -> JudgingProcess:
        """Start one; raises `JudgeDiedError`. It is warm when it says what nobody asked for."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "celvet.webhook.judging.child",
                str(niceness),
                *map(str, schemas),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                process_group=0,  # to be killed with its child
            )
        except OSError as error:  # no memory, no process: perhaps later
            raise JudgeDiedError(f"a judging process cannot be started: {error}") from error
        started = cls(process)
        try:
            await started._answered(b"", _STARTING)
        except SilentError:
            raise JudgeDiedError("a judging process was not ready in time") from None
        return started

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    async def ask(
        self,
        question: bytes,
        known: Mapping[GroupKind, bytes],
        patience: float,
    ) -> Judgement:
        """The answer to a question, after the news of what is `known` of CRDs.

        Raises `ExhaustedError`, `SilentError` after `patience` seconds, `JudgeDiedError`.
        """
        judgement = await self._answered(self._news(known) + question, patience)
        if judgement.exhausted:
            self._told = {}  # a new child answers from now on
            raise ExhaustedError
        return judgement

    async def over(self, seconds: float) -> bool:
        """Wait for its end, so long at most; whether it has ended."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        return not self.alive

    async def stop(self) -> None:
        """End it; nobody asks any more."""
        cast(asyncio.StreamWriter, self._process.stdin).close()
        await self._ended()

    def _news(self, known: Mapping[GroupKind, bytes]) -> bytes:
        """What the process has not been told yet."""
        before, self._told = self._told, known
        if before is known:
            return b""
        changed = [each for each in before.keys() | known if before.get(each) != known.get(each)]
        return b"".join(wire.news(each, known.get(each, b"")) for each in changed)

    async def _answered(self, question: bytes, patience: float) -> Judgement:
        """What it answers; one that does not, or that nobody waits for, is ended."""
        try:
            async with asyncio.timeout(patience):
                stdin = cast(asyncio.StreamWriter, self._process.stdin)
                stdin.write(question)
                await stdin.drain()
                return await self._heard()
        except TimeoutError:
            await self._killed()
            raise SilentError from None
        except (OSError, asyncio.IncompleteReadError) as error:
            status = await self._ended()
            raise JudgeDiedError(f"the judging process ended with status {status}") from error
        except asyncio.CancelledError:
            await self._killed()
            raise

    async def _heard(self) -> Judgement:
        stdout = cast(asyncio.StreamReader, self._process.stdout)
        head = await stdout.readexactly(wire.LENGTH.size)
        return wire.read_answer(await stdout.readexactly(*wire.LENGTH.unpack(head)))

    async def _ended(self) -> int:
        """The status of a process that has ended, or is made to."""
        return (
            cast(int, self._process.returncode)
            if await self.over(_DYING)
            else (await self._killed())
        )

    async def _killed(self) -> int:
        """Kill it and its child, not by `process.kill`.

        That looks whether it has ended already, and so takes the status away from asyncio,
        which then knows none.
        """
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return await self._process.wait()
