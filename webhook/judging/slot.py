"""A slot: some judging processes of one kind behind a queue, replaced when they end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

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

_log = logging.getLogger(__name__)


class JudgingSlot:
    """`count` processes, each of which judges one review at a time.

    `seconds` is the processor time for one review. Its errors are found, and its warnings if the
    slot `predicts` and no others wait by then. A process gets the CRDs of `crds` before each
    review. `replaced` is called with the reason when one is.
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
        self.queue = PriorityQueue(count)

    async def start(self) -> None:
        """Start the processes; raises `ProcessDiedError`."""
        for _ in range(self._count):
            self._idle.append(await JudgingProcess.start(self._settings))

    async def stop(self) -> None:
        """End the processes; no request may follow."""
        stopped, self._idle = self._idle, []
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
                # Not an idle one: what ended the process may have ended those too.
                await self._judge(request, await JudgingProcess.start(self._settings))

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
        """Whether reviews wait, what has arrived meanwhile included."""
        if not len(self.queue):
            await asyncio.sleep(0)
        return len(self.queue) > 0

    async def _running(self) -> JudgingProcess:
        """An idle process, or a new one if those that are left have ended."""
        while self._idle:
            process = self._idle.pop()
            if not process.ended:
                return process
            self._replaced("grown" if await process.stop(1.0) == 0 else "died")
        return await JudgingProcess.start(self._settings)
