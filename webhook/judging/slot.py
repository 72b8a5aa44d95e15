"""A place where objects are judged one at a time, whatever becomes of the process behind it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from celvet.webhook.crds.store import Definitions
from celvet.webhook.judging import protocol as wire
from celvet.webhook.judging.process import (
    ExhaustedError,
    JudgeDiedError,
    JudgingProcess,
    SilentError,
)
from celvet.webhook.judging.queue import CrowdedError, Waiting
from celvet.webhook.lint_result import Judgement

_log = logging.getLogger(__name__)

_GLANCE = 5.0
"""Seconds between two questions whether an idle process still answers."""

_LONGEST_PAUSE = 30.0

__all__ = ["CrowdedError", "ExhaustedError", "JudgeDiedError", "Lane", "Question", "SilentError"]


@dataclass(slots=True)
class Question:
    """An object in JSON; `begun` while a process works on it."""

    text: bytes
    opt_out: bool = False
    begun: bool = False


class Lane:
    """A judging process that answers one question at a time, kept alive.

    `seconds` is the processor time that one object may take, `patience` the time of the
    clock, and `definitions` what the process is told of CRDs before it is asked. With
    `niceness` others come first where processors are short.
    """

    def __init__(
        self,
        seconds: float,
        patience: float,
        schemas: Sequence[Path],
        definitions: Definitions,
        niceness: int = 0,
    ) -> None:
        self._seconds = seconds
        self._patience = patience
        self._schemas = schemas
        self._definitions = definitions
        self._niceness = niceness
        self._waiting = Waiting()
        self._starting = asyncio.Lock()
        self._process: JudgingProcess | None = None
        self._tending: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        """Whether a process waits for questions, or works on one."""
        return self._process is not None and self._process.alive

    async def start(self) -> None:
        """Have a warm process, now and from now on; raises `JudgeDiedError`."""
        await self._warm()
        self._tending = asyncio.create_task(self._tend())

    async def ask(self, question: Question) -> Judgement:
        """The judgement of an object.

        Raises `ExhaustedError`, `SilentError`, `CrowdedError`, and `JudgeDiedError` if two
        processes died of it.
        """
        async with self._waiting.turn(len(question.text)):
            question.begun = True
            try:
                return await self._answered(question)
            except JudgeDiedError as error:
                _log.error("%s; another one is asked", error)
                return await self._answered(question)
            finally:
                question.begun = False

    async def stop(self) -> None:
        """End the process; nobody asks any more."""
        if self._tending:
            self._tending.cancel()
            await asyncio.gather(self._tending, return_exceptions=True)
        if self._process:
            await self._process.stop()

    async def _answered(self, question: Question) -> Judgement:
        process = await self._warm()
        asked = wire.question(question.text, opt_out=question.opt_out, seconds=self._seconds)
        return await process.ask(asked, self._definitions.kinds, self._patience)

    async def _warm(self) -> JudgingProcess:
        """The process, a new one if it has ended."""
        async with self._starting:
            if self._process is None or not self._process.alive:
                self._process = await JudgingProcess.start(self._schemas, self._niceness)
            return self._process

    async def _tend(self) -> None:
        """Start the process anew when it ends, and end it when it does not answer."""
        pause = 0.0
        while True:
            try:
                process = await self._warm()
                pause = 0.0
                if not await process.over(_GLANCE) and not self._waiting.busy:
                    await self.ask(Question(b"{}"))
            except SilentError:
                _log.error("a judging process did not answer: it is started anew")
            except (JudgeDiedError, ExhaustedError, CrowdedError) as error:
                pause = min(2 * pause + 0.5, _LONGEST_PAUSE)
                _log.error("%s", error or "an empty object was not judged")
                await asyncio.sleep(pause)
