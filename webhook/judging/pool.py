"""Judging processes behind a cache: one for large reviews, the others for small ones.

Small reviews never wait behind large ones, nor behind predictions: the errors of a small review,
which deny, are found in the slot for small reviews, and its warnings in the slot for large ones if
that is free. A small review that takes long moves there too. In the queue of each slot, smaller
reviews go first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from sys import getsizeof

from celvet.lint.lru_cache import LruCache
from celvet.record import replace
from celvet.schemas import Catalog
from celvet.webhook.crds.store import CrdStore
from celvet.webhook.decide.content import content
from celvet.webhook.decide.exemption import exemption, exemption_of_request
from celvet.webhook.decide.review import MalformedError, Review
from celvet.webhook.judgement import GIVEN_UP, Judgement
from celvet.webhook.judging.child import ChildSettings
from celvet.webhook.judging.frames import Terms
from celvet.webhook.judging.process import (
    JudgingProcess,
    JudgingRequest,
    ProcessDiedError,
    ReviewLimitError,
)
from celvet.webhook.memory_budget import SMALL_BODY
from celvet.webhook.queue import PriorityQueue, QueueFullError

SMALL = 32 * 1024
"""Bytes of the largest review that may use the slot for small ones."""

SMALL_SECONDS = 0.05
"""Processor time of a review in that slot: fifty times what is usual."""

_NICENESS = 5
"""Niceness of the process for large reviews and predictions: it gets a third of the CPU weight."""

_OVERHEAD = 300
"""Bytes of an empty judgement with its key, and of each finding without its strings."""

_LIMITED_SECONDS = 10.0
"""How long the reviews of a sender go to the large slot after one took all of its time."""

_EXIT = 1.0
"""Seconds until the exit status of a process that has ended."""

_log = logging.getLogger(__name__)


class JudgingPool:
    """Judges reviews; equal objects share a cached judgement.

    `processes` is the total number, two or more. `timeout` is the longest wait for a judgement in
    seconds of the clock; a large review may take 0.8 of it in processor time. A change of `crds`
    invalidates the cache, which takes `cache_size` bytes. `replaced` is called with the reason when
    a process is replaced.
    """

    def __init__(  # noqa: PLR0913 - most of them named
        self,
        settings: ChildSettings,
        catalog: Catalog,
        *,
        processes: int = 2,
        timeout: float = 5.0,
        cache_size: int = 16 << 20,
        crds: CrdStore | None = None,
        replaced: Callable[[str], None] = lambda _: None,
        cached: Callable[[], None] = lambda: None,
    ) -> None:
        self._catalog = catalog
        self._crds = crds or CrdStore()
        self._timeout = timeout
        self._cache: LruCache[bytes, Judgement] = LruCache(_bytes, cache_size)
        self._cached = cached
        nice = replace(settings, niceness=_NICENESS)
        self._small = _JudgingSlot(processes - 1, SMALL_SECONDS, settings, self._crds, replaced)
        self._large = _JudgingSlot(1, timeout * 0.8, nice, self._crds, replaced, predicts=True)
        self._limited: dict[int, float] = {}
        self.ready = False

    @property
    def waiting(self) -> int:
        """How many reviews wait for a process."""
        return len(self._small.queue) + len(self._large.queue)

    async def start(self) -> None:
        """Start the processes; raises `ProcessDiedError`."""
        await self._small.start()
        await self._large.start()
        self.ready = True

    async def stop(self) -> None:
        """End the processes; no request may follow."""
        self.ready = False
        await asyncio.gather(self._small.stop(), self._large.stop())

    async def judge(
        self, body: bytes, review: Review, off: frozenset[str] = frozenset()
    ) -> Judgement:
        """The judgement of a review; raises `ProcessDiedError`, `MalformedError`.

        `body` is its text, and `review` what `peek` has read of it. Rules that are `off` do
        not run.
        """
        request = JudgingRequest(body, (review.user, review.namespace), off)
        if len(body) > SMALL_BODY or review.deep:
            if reason := exemption_of_request(review):
                return Judgement(exemption=reason)
            return await self._judge(request)
        if reason := exemption(review, self._catalog):
            return Judgement(exemption=reason, dry_run=review.dry_run)
        key = self._key(review, off)
        cached_judgement = self._cache.get(key)
        if cached_judgement:
            if cached_judgement.complete or self._large.queue.full:
                self._cached()
                return replace(cached_judgement, dry_run=review.dry_run)
            request.judgement = cached_judgement
        judgement = await self._judge(request)
        if judgement.final and not judgement.failure:
            self._cache.put(key, judgement)
        return judgement

    def _key(self, review: Review, off: frozenset[str]) -> bytes:
        """A digest of all that the judgement depends on."""
        digest = blake2b(digest_size=16, key=str(self._crds.version).encode())
        objects = (review.object, review.old_object)
        texts = (b"" if obj is None else content(obj) for obj in objects)
        for text in (" ".join(sorted(off)).encode(), *texts):
            digest.update(len(text).to_bytes(8, "big") + text)
        return digest.digest()

    async def _judge(self, request: JudgingRequest) -> Judgement:
        with suppress(TimeoutError, QueueFullError, ReviewLimitError):  # the result so far counts
            async with asyncio.timeout(self._timeout):
                small = len(request.body) <= SMALL and request.judgement is GIVEN_UP
                if self._was_limited(request) or not small or await self._is_left(request):
                    await self._large.judge(request)
        if request.judgement.format_error:
            raise MalformedError(request.judgement.format_error)
        return request.judgement

    async def _is_left(self, request: JudgingRequest) -> bool:
        """Judge a small review; True if the other slot must judge it again or find its warnings."""
        try:
            await self._small.judge(request)
        except ReviewLimitError:
            self._limited[hash(request.sender)] = asyncio.get_running_loop().time()
            return True
        is_complete = request.judgement.complete or self._large.queue.full
        return not (is_complete or await self._small.others_wait() or self._large.queue.full)

    def _was_limited(self, request: JudgingRequest) -> bool:
        """Whether a review of its sender has lately taken all of its time in the small slot.

        Each such review ends a process, whose replacement the next reviews would wait for.
        """
        now = asyncio.get_running_loop().time()
        self._limited = {
            sender: then for sender, then in self._limited.items() if now - then < _LIMITED_SECONDS
        }
        return hash(request.sender) in self._limited


def _bytes(judgement: Judgement) -> int:
    texts = (
        getsizeof(text)
        for finding in judgement.findings
        for text in (finding.field, finding.message, finding.help)
    )
    return _OVERHEAD * (1 + len(judgement.findings)) + sum(texts)


class _JudgingSlot:
    """`count` processes behind one queue; each judges one review at a time.

    A spare process takes the place of one that ends. A new one needs 20 ms of processor time to get
    as fast as the one before: it copies each page of memory shared with the fork server that it
    touches. The spare one has done that already.

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
        self._spare = self._start_process()
        await self._spare

    async def stop(self) -> None:
        """End the processes; no request may follow."""
        processes, self._idle = self._idle, []
        spare, self._spare = self._spare, None
        if spare:
            with suppress(ProcessDiedError):
                processes.append(await spare)
        await asyncio.gather(*(process.stop() for process in processes))

    async def judge(self, request: JudgingRequest) -> None:
        """Fill in the judgement of a request.

        Raises `ReviewLimitError`, `QueueFullError`, and `ProcessDiedError` if the review ended
        two processes.
        """
        async with self.queue.turn(len(request.body), *request.sender):
            try:
                await self._judge(request, await self._take_process())
            except ProcessDiedError as error:
                _log.log(
                    logging.DEBUG if error.grown else logging.ERROR,
                    "%s; the review goes to a new one",
                    error,
                )
                self._replaced("grown" if error.grown else "died")
                # not an idle one, which may have ended for the same reason
                fresh = self._take_spare() if error.grown else self._start_process()
                await self._judge(request, await fresh)

    async def _judge(self, request: JudgingRequest, process: JudgingProcess) -> None:
        try:
            terms = Terms(self._seconds, off=request.off)
            await process.judge(request, self._crds.kinds, terms)
            is_complete = not self._predicts or request.judgement.complete
            if not (is_complete or await self.others_wait()):
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

    async def _take_process(self) -> JudgingProcess:
        """An idle process, or the spare one if all idle ones have ended."""
        while self._idle:
            process = self._idle.pop()
            if not process.ended:
                return process
            await self._dismiss(process)
        return await self._take_spare()

    async def _take_spare(self) -> JudgingProcess:
        """The spare process, or a new one if it has ended; another spare is started."""
        spare = self._spare or self._start_process()
        self._spare = self._start_process()
        process = await spare
        if not process.ended:
            return process
        await self._dismiss(process)
        return await self._start_process()

    async def _dismiss(self, process: JudgingProcess) -> None:
        """Count a process that has ended."""
        self._replaced("grown" if await process.stop(_EXIT) == 0 else "died")

    def _start_process(self) -> asyncio.Task[JudgingProcess]:
        return asyncio.create_task(JudgingProcess.start(self._settings))
