"""The judge of a worker: a memory, and two lanes behind it, one for small objects.

Small objects never wait behind large ones. One that takes long in spite of its size
is moved to the lane of the large ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from webhook.definitions import Definitions
from webhook.lane import ExhaustedError, Lane
from webhook.memory import Memory
from webhook.objection import Judgement

SMALL = 16 * 1024
"""Bytes of an object that may use the lane of the small ones."""

QUICK = 1.0
"""Seconds of processor time that an object may take there."""

_MEMORY = 16 << 20
"""Bytes for judgements that are remembered."""

_EXHAUSTED = Judgement(exhausted=True)


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
        self._lanes = tuple(Lane(each, schemas, self._definitions) for each in (QUICK, seconds))
        self._patience = patience
        self._memory = Memory(_MEMORY)
        self._under_way: dict[bytes, asyncio.Task[Judgement]] = {}

    @property
    def ready(self) -> bool:
        """Whether at least one lane judges; each comes back by itself."""
        return any(lane.ready for lane in self._lanes)

    async def start(self) -> None:
        """Warm the lanes; raises `JudgeDiedError`."""
        await asyncio.gather(*(lane.start() for lane in self._lanes))

    async def stop(self) -> None:
        """End the processes, and what they work on."""
        for task in list(self._under_way.values()):
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)
        await asyncio.gather(*(lane.stop() for lane in self._lanes))

    async def judge(self, text: bytes, *, opt_out: bool) -> Judgement:
        """The judgement of an object in JSON; raises `JudgeDiedError`.

        Who asks for what is being judged already waits for the same answer.
        """
        way = f"{opt_out:d} {self._definitions.version}".encode()
        key = blake2b(text, digest_size=16, key=way).digest()
        if known := self._memory.get(key):
            return known
        task = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._judged(key, text, opt_out))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._over(key, done))
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(task)
        except TimeoutError:
            return _EXHAUSTED

    async def _judged(self, key: bytes, text: bytes, opt_out: bool) -> Judgement:
        judgement = await self._by_a_lane(text, opt_out)
        self._memory.put(key, judgement)
        return judgement

    async def _by_a_lane(self, text: bytes, opt_out: bool) -> Judgement:
        for lane in self._lanes if len(text) <= SMALL else self._lanes[1:]:
            try:
                return await lane.ask(text, opt_out=opt_out)
            except ExhaustedError:
                continue
        return _EXHAUSTED

    def _over(self, key: bytes, task: asyncio.Task[Judgement]) -> None:
        self._under_way.pop(key, None)
        if not task.cancelled():
            task.exception()  # whoever waited was told; nobody may be left
