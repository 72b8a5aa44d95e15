"""Judging processes behind a cache: one for large reviews, the others for small ones.

Small reviews never wait behind large ones. A small review that takes long moves to the
slot of the large ones. In the queue of each slot smaller reviews go first.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b

from celvet.record import replace
from celvet.schemas import Catalog
from celvet.webhook.crds.store import CrdStore
from celvet.webhook.decide.content import content
from celvet.webhook.decide.exemption import exemption, exemption_of_request
from celvet.webhook.decide.review import READ_HERE, MalformedError, Review
from celvet.webhook.judgement import Judgement
from celvet.webhook.judging.child import ChildSettings
from celvet.webhook.judging.process import JudgingRequest, ReviewLimitError
from celvet.webhook.judging.queue import QueueFullError
from celvet.webhook.judging.slot import JudgingSlot

SMALL = 32 * 1024
"""Bytes of the largest review that may use the slot for small ones."""

SMALL_SECONDS = 0.1
"""Processor time of a review in that slot: ten times what is usual."""

_NICENESS = 5
"""Niceness of the process for large reviews: a third of the weight."""

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
        self._slots = (
            JudgingSlot(processes - 1, SMALL_SECONDS, settings, self._crds, replaced),
            JudgingSlot(1, timeout * 0.8, nice, self._crds, replaced),
        )
        self.ready = False

    @property
    def waiting(self) -> int:
        """How many reviews wait for a process."""
        return sum(len(slot.queue) for slot in self._slots)

    async def start(self) -> None:
        """Start the processes; raises `ProcessDiedError`."""
        for slot in self._slots:
            await slot.start()
        self.ready = True

    async def stop(self) -> None:
        """End the processes; no request may follow."""
        self.ready = False
        await asyncio.gather(*(slot.stop() for slot in self._slots))

    async def judge(
        self, body: bytes, review: Review, off: frozenset[str] = frozenset()
    ) -> Judgement:
        """The judgement of a review; raises `ProcessDiedError`, `MalformedError`.

        `body` is its text, and `review` what `opened` has read of it. Rules that are `off` do
        not run.
        """
        request = JudgingRequest(body, review.namespace, off)
        if len(body) > READ_HERE or review.deep:
            if passed := exemption_of_request(review):
                return Judgement(passed=passed)
            return await self._judge(request)
        if passed := exemption(review, self._catalog):
            return Judgement(passed=passed, dry_run=review.dry_run)
        key = self._key(review, off)
        found = self._cache.get(key)
        if found and (found.complete or self._slots_for(request)[0].queue.full):
            self._cached()
            return replace(found, dry_run=review.dry_run)
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

    def _slots_for(self, request: JudgingRequest) -> Sequence[JudgingSlot]:
        """Where a request is judged: in the first slot, or the next if it takes long there."""
        return self._slots if len(request.body) <= SMALL else self._slots[1:]

    async def _judge(self, request: JudgingRequest) -> Judgement:
        try:
            async with asyncio.timeout(self._timeout):
                for slot in self._slots_for(request):
                    try:
                        await slot.judge(request)
                        break
                    except ReviewLimitError:
                        continue
        except (TimeoutError, QueueFullError):
            pass  # what is known so far counts
        if request.judgement.malformed:
            raise MalformedError(request.judgement.malformed)
        return request.judgement


class JudgementCache:
    """Judgements by key; the least recently used go when all take more than `size` bytes."""

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
