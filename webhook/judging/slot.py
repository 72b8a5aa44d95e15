"""A slot lints one object at a time and replaces its process when that ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from celvet.webhook.crds.store import CrdStore
from celvet.webhook.judging import protocol
from celvet.webhook.judging.process import (
    LintLimitError,
    LintProcess,
    NoAnswerError,
    ProcessDiedError,
)
from celvet.webhook.judging.queue import PriorityLock, QueueFullError
from celvet.webhook.lint_result import LintResult

_log = logging.getLogger(__name__)

_CHECK_INTERVAL = 5.0
"""Seconds between two health checks of an idle process."""

_LONGEST_PAUSE = 30.0


@dataclass(slots=True)
class LintRequest:
    """An object in JSON; `started` while a process lints it."""

    text: bytes
    opt_out: bool = False
    started: bool = False


class LintSlot:
    """A lint process with a queue, kept alive.

    `seconds` is the processor time for one object, `timeout` the wall-clock time in
    seconds. `arguments` are those of the process, which gets the CRDs of `crds` before each
    request. `niceness` lowers its priority.
    """

    def __init__(
        self,
        seconds: float,
        timeout: float,
        arguments: Sequence[str],
        crds: CrdStore,
        niceness: int = 0,
    ) -> None:
        self._seconds = seconds
        self._timeout = timeout
        self._arguments = arguments
        self._crds = crds
        self._niceness = niceness
        self._queue = PriorityLock()
        self._starting = asyncio.Lock()
        self._process: LintProcess | None = None
        self._supervision: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.alive

    async def start(self) -> None:
        """Start a warm process and keep one running; raises `ProcessDiedError`."""
        await self._running()
        self._supervision = asyncio.create_task(self._supervise())

    async def lint(self, request: LintRequest) -> LintResult:
        """The result for an object.

        Raises `LintLimitError`, `NoAnswerError`, `QueueFullError`, and
        `ProcessDiedError` if the object ended two processes.
        """
        async with self._queue.turn(len(request.text)):
            request.started = True
            try:
                return await self._lint(request)
            except ProcessDiedError as error:
                _log.error("%s; the request goes to a new one", error)
                return await self._lint(request)
            finally:
                request.started = False

    async def stop(self) -> None:
        """End the process; no request may follow."""
        if self._supervision:
            self._supervision.cancel()
            await asyncio.gather(self._supervision, return_exceptions=True)
        if self._process:
            await self._process.stop()

    async def _lint(self, request: LintRequest) -> LintResult:
        process = await self._running()
        frame = protocol.request(request.text, opt_out=request.opt_out, seconds=self._seconds)
        return await process.lint(frame, self._crds.kinds, self._timeout)

    async def _running(self) -> LintProcess:
        """The process, a new one if it has ended."""
        async with self._starting:
            if self._process is None or not self._process.alive:
                self._process = await LintProcess.start(self._arguments, self._niceness)
            return self._process

    async def _supervise(self) -> None:
        """Restart the process when it ends or does not answer."""
        pause = 0.0
        while True:
            try:
                process = await self._running()
                pause = 0.0
                if not await process.ended(_CHECK_INTERVAL) and not self._queue.busy:
                    await self.lint(LintRequest(b"{}"))
            except NoAnswerError:
                _log.error("a lint process did not answer: it is restarted")
            except (ProcessDiedError, LintLimitError, QueueFullError) as error:
                pause = min(2 * pause + 0.5, _LONGEST_PAUSE)
                _log.error("%s", error or "a lint process failed its health check")
                await asyncio.sleep(pause)
