"""A lint process as the worker sees it: start, request, answer, end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import cast

from celvet.lint.model import GroupKind
from celvet.webhook.judging import protocol
from celvet.webhook.lint_result import LintResult

_WARM_UP = 60.0
"""Seconds for a process to be warm."""

_EXIT = 0.5
"""Seconds for a process to exit after its input or output was closed."""


class LintLimitError(Exception):
    """The object took more processor time or memory than it may."""


class NoAnswerError(Exception):
    """The process gave no answer in time (it was stopped or starved) and was killed."""


class ProcessDiedError(Exception):
    """The process ended for another reason."""


class LintProcess:
    """A warm process. Once a request fails the process has ended and is of no use."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._sent_crds: Mapping[GroupKind, bytes] = {}

    @classmethod
    async def start(cls, arguments: Sequence[str], niceness: int = 0) -> LintProcess:
        """Start one, with the arguments of `child.main` after the first.

        Its first answer, unasked, says it is warm. Raises `ProcessDiedError`.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "celvet.webhook.judging.child",
                str(niceness),
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                process_group=0,  # to be killed with its child
            )
        except OSError as error:  # no memory, no process: perhaps later
            raise ProcessDiedError(f"a lint process cannot be started: {error}") from error
        started = cls(process)
        try:
            await started._exchange(b"", _WARM_UP)
        except NoAnswerError:
            raise ProcessDiedError("a lint process was not ready in time") from None
        return started

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    async def lint(
        self, request: bytes, crds: Mapping[GroupKind, bytes], timeout: float
    ) -> LintResult:
        """The answer to a request, after an update of the CRDs.

        Raises `LintLimitError`, `NoAnswerError` after `timeout` seconds,
        `ProcessDiedError`.
        """
        result = await self._exchange(self._crd_updates(crds) + request, timeout)
        if result.limit_exceeded:
            self._sent_crds = {}  # a new child answers from now on
            raise LintLimitError
        return result

    async def ended(self, seconds: float) -> bool:
        """Wait for its end for so many seconds; whether it has ended."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        return not self.alive

    async def stop(self) -> None:
        """End it; no request may follow."""
        cast(asyncio.StreamWriter, self._process.stdin).close()
        await self._status()

    def _crd_updates(self, crds: Mapping[GroupKind, bytes]) -> bytes:
        """Frames for the CRDs that changed since the last request."""
        before, self._sent_crds = self._sent_crds, crds
        if before is crds:
            return b""
        changed = [each for each in before.keys() | crds if before.get(each) != crds.get(each)]
        return b"".join(protocol.crd_update(each, crds.get(each, b"")) for each in changed)

    async def _exchange(self, frames: bytes, timeout: float) -> LintResult:
        """Send frames and read a result; on timeout or cancellation the process is killed."""
        try:
            async with asyncio.timeout(timeout):
                stdin = cast(asyncio.StreamWriter, self._process.stdin)
                stdin.write(frames)
                await stdin.drain()
                return await self._read()
        except TimeoutError:
            await self._kill()
            raise NoAnswerError from None
        except (OSError, asyncio.IncompleteReadError) as error:
            status = await self._status()
            raise ProcessDiedError(f"the lint process ended with status {status}") from error
        except asyncio.CancelledError:
            await self._kill()
            raise

    async def _read(self) -> LintResult:
        stdout = cast(asyncio.StreamReader, self._process.stdout)
        head = await stdout.readexactly(protocol.LENGTH.size)
        return protocol.read_result(await stdout.readexactly(*protocol.LENGTH.unpack(head)))

    async def _status(self) -> int:
        """The exit status; a process that does not exit by itself is killed."""
        return (
            cast(int, self._process.returncode) if await self.ended(_EXIT) else await self._kill()
        )

    async def _kill(self) -> int:
        """Kill it and its child; the exit status.

        `process.kill` would poll first and so take the status away from asyncio.
        """
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        return await self._process.wait()
