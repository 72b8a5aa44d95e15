"""The judge of a worker: a memory, and two lanes behind it, one for small objects.

Small objects never wait behind large ones. One that takes long in spite of its size
is moved to the lane of the large ones, and in each the small ones go first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from celvet.webhook.crds.store import Definitions
from celvet.webhook.judging.cache import Memory
from celvet.webhook.judging.slot import CrowdedError, ExhaustedError, Lane, Question, SilentError
from celvet.webhook.lint_result import Judgement

SMALL = 16 * 1024
"""Bytes of an object that may use the lane of the small ones."""

QUICK = 0.25
"""Seconds of processor time that an object may take there: twenty times what is usual."""

_NICE = 5
"""Niceness of what judges large objects: a third of the weight."""

_MEMORY = 16 << 20
"""Bytes for judgements that are remembered."""

_EXHAUSTED = Judgement(exhausted=True)


@dataclass(slots=True)
class _Case:
    """An object that is being judged, and how many wait for it."""

    question: Question
    task: asyncio.Task[Judgement]
    waiting: int = 0


class Court:
    """Judges objects, each at most once as long as it is remembered.

    `seconds` is the processor time that a large object may take, and `patience` how
    long anybody waits for a judgement, in seconds of the clock. What was judged by other
    `definitions` than those of now is judged again.
    """

    def __init__(
        self,
        seconds: float,
        patience: float,
        schemas: Sequence[Path] = (),
        definitions: Definitions | None = None,
    ) -> None:
        self._definitions = definitions or Definitions()
        self._lanes = tuple(
            Lane(each, patience, schemas, self._definitions, niceness)
            for each, niceness in ((QUICK, 0), (seconds, _NICE))
        )
        self._patience = patience
        self._memory = Memory(_MEMORY)
        self._cases: dict[bytes, _Case] = {}

    @property
    def ready(self) -> bool:
        """Whether at least one lane judges; each comes back by itself."""
        return any(lane.ready for lane in self._lanes)

    async def start(self) -> None:
        """Warm the lanes; raises `JudgeDiedError`."""
        await asyncio.gather(*(lane.start() for lane in self._lanes))

    async def stop(self) -> None:
        """End the processes, and what they work on."""
        tasks = [case.task for case in self._cases.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(lane.stop() for lane in self._lanes))

    async def judge(self, text: bytes, *, opt_out: bool) -> Judgement:
        """The judgement of an object in JSON; raises `JudgeDiedError`.

        Who asks for what is being judged already waits for the same answer. What nobody
        waits for any more is not begun; what is begun is judged, for when it comes again.
        """
        way = f"{opt_out:d} {self._definitions.version}".encode()
        key = blake2b(text, digest_size=16, key=way).digest()
        if known := self._memory.get(key):
            return known
        case = self._case(key, text, opt_out)
        case.waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(case.task)
        except (TimeoutError, CrowdedError, SilentError):
            return _EXHAUSTED
        finally:
            case.waiting -= 1
            if not case.waiting and not case.question.begun:
                self._over(key, case)
                case.task.cancel()

    def _case(self, key: bytes, text: bytes, opt_out: bool) -> _Case:
        if case := self._cases.get(key):
            return case
        question = Question(text, opt_out)
        case = _Case(question, asyncio.create_task(self._judged(key, question)))
        case.task.add_done_callback(lambda _: self._over(key, case))
        self._cases[key] = case
        return case

    async def _judged(self, key: bytes, question: Question) -> Judgement:
        judgement = await self._by_a_lane(key, question)
        self._memory.put(key, judgement)
        return judgement

    async def _by_a_lane(self, key: bytes, question: Question) -> Judgement:
        """Raises what lanes do, and `CrowdedError` if nobody waits for more than the first."""
        for lane in self._lanes if len(question.text) <= SMALL else self._lanes[1:]:
            try:
                return await lane.ask(question)
            except ExhaustedError:
                if not self._cases[key].waiting:
                    raise CrowdedError from None
        return _EXHAUSTED

    def _over(self, key: bytes, case: _Case) -> None:
        if self._cases.get(key) is case:
            del self._cases[key]
        if case.task.done() and not case.task.cancelled():
            case.task.exception()  # whoever waited was told; nobody may be left
