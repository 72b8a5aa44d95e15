"""A slot: some judging processes behind one queue, and a spare process that replaces one that ends.

A new process needs 20 ms of processor time to get as fast as the one before: it copies each page
of memory shared with the fork server that it touches. The spare process has done that already.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from celvet.webhook.crds.store import CrdStore
from celvet.webhook.judging.child import ChildSettings
from celvet.webhook.judging.frames import Terms
from celvet.webhook.judging.process import (
    JudgingProcess,
    JudgingRequest,
    ProcessDiedError,
    ReviewLimitError,
)
from celvet.webhook.judging.queue import PriorityQueue

_EXIT = 1.0
"""Seconds until the exit status of a process that has ended."""

_log = logging.getLogger(__name__)


class JudgingSlot:
    """`count` processes; each judges one review at a time.

    `seconds` is the processor time for one review. The slot finds its errors, and its warnings if
    it `predicts` and no other review waits by then. Before each review a process gets the changes
    of `crds`. `replaced` is called with the reason when a process is replaced.
    """

    def __init__(  # noqa: PLR0913 - most of them named
        self,
        count: int,
        seconds: float,
        settings: ChildSettings,
        crds: CrdStore,
        replaced: Callable[[str], None] = lambda _: None,
        *,
        predicts: bool = False,
    ) -> None:
        self._count = count
        self._seconds = seconds
        self._settings = settings
        self._crds = crds
        self._replaced = replaced
        self._predicts = predicts
        self._idle: list[JudgingProcess] = []
        self._spare: asyncio.Task[JudgingProcess] | None = None
        self.queue = PriorityQueue(count)

    async def start(self) -> None:
        """Start the processes; raises `ProcessDiedError`."""
        for _ in range(self._count):
            self._idle.append(await JudgingProcess.start(self._settings))
        self._spare = self._starting()
        await self._spare

    async def stop(self) -> None:
        """End the processes; no request may follow."""
        stopped, self._idle = self._idle, []
        spare, self._spare = self._spare, None
        if spare:
            with suppress(ProcessDiedError):
                stopped.append(await spare)
        await asyncio.gather(*(process.stop() for process in stopped))

    async def judge(self, request: JudgingRequest) -> None:
        """Fill in the judgement of a request.

        Raises `ReviewLimitError`, `QueueFullError`, and `ProcessDiedError` if the review ended
        two processes.
        """
        async with self.queue.turn(len(request.body), request.namespace):
            try:
                await self._judge(request, await self._running())
            except ProcessDiedError as error:
                _log.log(
                    logging.DEBUG if error.grown else logging.ERROR,
                    "%s; the review goes to a new one",
                    error,
                )
                self._replaced("grown" if error.grown else "died")
                # Not an idle one: it may have ended for the same reason.
                fresh = self._take_spare() if error.grown else self._starting()
                await self._judge(request, await fresh)

    async def _judge(self, request: JudgingRequest, process: JudgingProcess) -> None:
        try:
            terms = Terms(self._seconds, off=request.off)
            await process.judge(request, self._crds.kinds, terms)
            known = not self._predicts or request.judgement.complete
            if not (known or await self.others_wait()):
                await process.complete(request)
        except ReviewLimitError:
            self._replaced("limit")
            raise
        except asyncio.CancelledError:
            self._replaced("timeout")
            raise
        self._idle.append(process)

    async def others_wait(self) -> bool:
        """Whether reviews wait, including those that arrived during this one."""
        if not len(self.queue):
            await asyncio.sleep(0)
        return len(self.queue) > 0

    async def _running(self) -> JudgingProcess:
        """An idle process, or the spare one if all idle ones have ended."""
        while self._idle:
            process = self._idle.pop()
            if not process.ended:
                return process
            await self._dismiss(process)
        return await self._take_spare()

    async def _take_spare(self) -> JudgingProcess:
        """The spare process, or a new one if it has ended; another spare is started."""
        spare = self._spare or self._starting()
        self._spare = self._starting()
        process = await spare
        if not process.ended:
            return process
        await self._dismiss(process)
        return await self._starting()

    async def _dismiss(self, process: JudgingProcess) -> None:
        """Count a process that has ended."""
        self._replaced("grown" if await process.stop(_EXIT) == 0 else "died")

    def _starting(self) -> asyncio.Task[JudgingProcess]:
        return asyncio.create_task(JudgingProcess.start(self._settings))
