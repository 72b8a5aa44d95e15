"""Judging processes behind a cache: one for large reviews, the others for small ones.

Small reviews never wait behind large ones, nor behind predictions: the errors of a small review,
which deny, are found in the slot for small reviews, and its warnings in the slot for large ones if
that is free. A small review that takes long moves there too. In the queue of each slot, smaller
reviews go first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b

from celvet.record import replace
from celvet.schemas import Catalog
from celvet.webhook.crds.store import CrdStore
from celvet.webhook.decide.content import content
from celvet.webhook.decide.exemption import exemption, exemption_of_request
from celvet.webhook.decide.review import MalformedError, Review
from celvet.webhook.judgement import GIVEN_UP, Judgement
from celvet.webhook.judging.child import ChildSettings
from celvet.webhook.judging.process import JudgingRequest, ReviewLimitError
from celvet.webhook.judging.queue import QueueFullError
from celvet.webhook.judging.slot import JudgingSlot
from celvet.webhook.memory_budget import SMALL_BODY

SMALL = 32 * 1024
"""Bytes of the largest review that may use the slot for small ones."""

SMALL_SECONDS = 0.05
"""Processor time of a review in that slot: fifty times what is usual."""

_NICENESS = 5
"""Niceness of the process for large reviews and predictions: a third of the weight."""

_OVERHEAD = 300
"""Bytes of an empty judgement with its key, and of each finding without its texts."""


class JudgingPool:
    """Judges reviews; equal objects share a cached judgement.

    `processes` is how many there are in all, two or more. `timeout` is the longest wait
    for a judgement in seconds of the clock; a large review may take 0.8 of it in processor
    time. A change of `crds` invalidates the cache, which takes `cache_size` bytes.
    `replaced` is called with the reason when a process is replaced.
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
        self._cache = JudgementCache(cache_size)
        self._cached = cached
        nice = replace(settings, niceness=_NICENESS)
        self._small = JudgingSlot(processes - 1, SMALL_SECONDS, settings, self._crds, replaced)
        self._large = JudgingSlot(1, timeout * 0.8, nice, self._crds, replaced, predicts=True)
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

        `body` is its text, and `review` what `opened` has read of it. Rules that are `off` do
        not run.
        """
        request = JudgingRequest(body, review.namespace, off)
        if len(body) > SMALL_BODY or review.deep:
            if passed := exemption_of_request(review):
                return Judgement(passed=passed)
            return await self._judge(request)
        if passed := exemption(review, self._catalog):
            return Judgement(passed=passed, dry_run=review.dry_run)
        key = self._key(review, off)
        found = self._cache.get(key)
        if found:
            if found.complete or self._large.queue.full:
                self._cached()
                return replace(found, dry_run=review.dry_run)
            request.judgement = found
        judgement = await self._judge(request)
        if judgement.final and not judgement.unjudged:
            self._cache.put(key, judgement)
        return judgement

    def _key(self, review: Review, off: frozenset[str]) -> bytes:
        """A digest of all that the judgement depends on."""
        digest = blake2b(digest_size=16, key=str(self._crds.version).encode())
        objects = (review.object, review.old_object)
        texts = (b"" if each is None else content(each) for each in objects)
        for text in (" ".join(sorted(off)).encode(), *texts):
            digest.update(len(text).to_bytes(8, "big") + text)
        return digest.digest()

    async def _judge(self, request: JudgingRequest) -> Judgement:
        with suppress(TimeoutError, QueueFullError, ReviewLimitError):  # the result so far counts
            async with asyncio.timeout(self._timeout):
                small = len(request.body) <= SMALL and request.judgement is GIVEN_UP
                if not small or await self._is_left(request):
                    await self._large.judge(request)
        if request.judgement.malformed:
            raise MalformedError(request.judgement.malformed)
        return request.judgement

    async def _is_left(self, request: JudgingRequest) -> bool:
        """Judge a small review; True if the other slot must judge it again or find its warnings."""
        try:
            await self._small.judge(request)
        except ReviewLimitError:
            return True
        known = request.judgement.complete or self._large.queue.full
        return not (known or await self._small.others_wait() or self._large.queue.full)


class JudgementCache:
    """Judgements by key; beyond `size` bytes in all, the least recently used are evicted."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._judgements: OrderedDict[bytes, Judgement] = OrderedDict()

    def get(self, key: bytes) -> Judgement | None:
        """The judgement of a key, None if it is not cached."""
        found = self._judgements.get(key)
        if found is not None:
            self._judgements.move_to_end(key)
        return found

    def put(self, key: bytes, judgement: Judgement) -> None:
        """Store a judgement and evict old ones."""
        replaced = self._judgements.pop(key, None)
        self._free += _size(replaced) if replaced else 0
        self._judgements[key] = judgement
        self._free -= _size(judgement)
        while self._free < 0:
            _, oldest = self._judgements.popitem(last=False)
            self._free += _size(oldest)


def _size(judgement: Judgement) -> int:
    texts = (text for each in judgement.findings for text in (each.field, each.message))
    return _OVERHEAD + sum(_OVERHEAD + len(text) for text in texts)
