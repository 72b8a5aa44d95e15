"""Judging processes behind a cache: one for large reviews, the others for small ones.

Small reviews never wait behind large ones, nor behind predictions: the errors of a small review,
which deny, are found in the slot for small reviews, and its warnings in the slot for large ones if
that is free. A small review that takes long moves there too. In the queue of each slot, smaller
reviews go first.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
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

_LIMITED_SECONDS, _MOST_LIMITED = 10.0, 1000
"""How long, of how many senders, reviews go to the large slot after one took all of its time."""

_LIMITED_REVIEWS, _LIMITED_SHARE = 20, 8
"""How many reviews of a flow get only a part of the time after one took all of it: those of others
wait for the one that runs."""

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
        self._limited: LruCache[int, float] = LruCache(lambda _: 1, _MOST_LIMITED)
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
        if cached_judgement := self._cache.get(key):
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
        now = asyncio.get_running_loop().time()
        is_limited = now < (self._limited.get(hash(request.sender)) or 0.0)
        with suppress(TimeoutError, QueueFullError, ReviewLimitError):  # the result so far counts
            async with asyncio.timeout(self._timeout):
                small = len(request.body) <= SMALL and request.judgement is GIVEN_UP
                if is_limited or not small or await self._is_left(request):
                    await self._large.judge(request)
        if is_limited and request.judgement.seconds > SMALL_SECONDS:
            self._limit(request)
        if request.judgement.format_error:
            raise MalformedError(request.judgement.format_error)
        return request.judgement

    async def _is_left(self, request: JudgingRequest) -> bool:
        """Judge a small review; True if the other slot must judge it again or find its warnings."""
        try:
            await self._small.judge(request)
        except ReviewLimitError:
            self._limit(request)
            return True
        is_complete = request.judgement.complete or self._large.queue.full
        return not (is_complete or await self._small.others_wait() or self._large.queue.full)

    def _limit(self, request: JudgingRequest) -> None:
        """Keep the reviews of a sender, which may end processes, out of the small slot for now."""
        end = asyncio.get_running_loop().time() + _LIMITED_SECONDS
        self._limited.put(hash(request.sender), end)


def _bytes(judgement: Judgement) -> int:
    texts = (
        getsizeof(text)
        for finding in judgement.findings
        for text in (finding.field, finding.message, finding.help)
    )
    return _OVERHEAD * (1 + len(judgement.findings)) + sum(texts)


@dataclass(eq=False)
class _JudgingSlot:
    """`count` processes behind one queue; each judges one review at a time.

    One more is ready to take the place of one that ends. A new one needs 20 ms of processor time to
    get as fast as the one before: it copies each page of memory shared with the fork server that it
    touches. The spare one has done that already.

    `seconds` is the processor time for one review. The slot finds its errors, and its warnings if
    it `predicts` and no other review waits by then. Before each review a process gets the changes
    of `crds`. `replaced` is called with the reason when a process is replaced.
    """

    count: int
    seconds: float
    settings: ChildSettings
    crds: CrdStore
    replaced: Callable[[str], None]
    predicts: bool = False

    def __post_init__(self) -> None:
        self._processes: deque[asyncio.Task[JudgingProcess]] = deque()
        self.queue = PriorityQueue(self.count, cheap=self.seconds / 10)

    async def start(self) -> None:
        """Start the processes, the last one as the spare; raises `ProcessDiedError`."""
        for _ in range(self.count + 1):
            self._start_process()
            await self._processes[-1]

    async def stop(self) -> None:
        """End the processes; no request may follow."""
        starts = await asyncio.gather(*self._processes, return_exceptions=True)
        self._processes.clear()
        processes = [process for process in starts if isinstance(process, JudgingProcess)]
        await asyncio.gather(*(process.stop() for process in processes))

    async def judge(self, request: JudgingRequest) -> None:
        """Fill in the judgement of a request.

        Raises `ReviewLimitError`, `QueueFullError`, and `ProcessDiedError` if the review ended
        two processes.
        """
        async with self.queue.turn(len(request.body), *request.sender) as turn:
            request.seconds = self.seconds
            if turn.use.limited:
                turn.use.limited -= 1
                request.seconds = max(SMALL_SECONDS, self.seconds / _LIMITED_SHARE)
            try:
                await self._judge(request, self._processes.popleft())
            except ProcessDiedError as error:
                level = logging.DEBUG if error.reason == "grown" else logging.ERROR
                _log.log(level, "%s; the review goes to a new one", error)
                # not an idle one, which may have ended for the same reason
                await self._judge(request, self._processes.pop())
            except (ReviewLimitError, asyncio.CancelledError):
                turn.use.limited = _LIMITED_REVIEWS
                raise
            turn.seconds = request.judgement.seconds

    async def _judge(self, request: JudgingRequest, starting: asyncio.Task[JudgingProcess]) -> None:
        """Judge in a process, which is replaced by another if it cannot be used again."""
        try:
            process = await starting
            while process.ended:
                self._replace("grown" if await process.stop(patience=1.0) == 0 else "died")
                starting = self._processes.popleft()
                process = await starting
            await process.judge(request, self.crds.kinds)
            if self.predicts and not (request.judgement.complete or await self.others_wait()):
                await process.complete(request)
        except BaseException as error:
            self._replace(getattr(error, "reason", "timeout"))
            raise
        self._processes.appendleft(starting)

    async def others_wait(self) -> bool:
        """Whether reviews wait, including those that arrived during this one."""
        if not len(self.queue):
            await asyncio.sleep(0)
        return len(self.queue) > 0

    def _replace(self, reason: str) -> None:
        self.replaced(reason)
        self._start_process()

    def _start_process(self) -> None:
        self._processes.append(asyncio.create_task(JudgingProcess.start(self.settings)))
