"""A pool of two lint processes behind a cache: one for small objects, one for all others.

Small objects never wait behind large ones. A small object that takes long moves to the
slot of the large ones. In the queue of each slot smaller objects go first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from celvet.webhook.crds.store import CrdStore
from celvet.webhook.judging.cache import ResultCache
from celvet.webhook.judging.process import LintLimitError, NoAnswerError
from celvet.webhook.judging.queue import QueueFullError
from celvet.webhook.judging.slot import LintRequest, LintSlot
from celvet.webhook.lint_result import LintResult

SMALL = 16 * 1024
"""Bytes of the largest object that may use the slot for small ones."""

SMALL_SECONDS = 0.25
"""Processor time of an object in that slot: twenty times what is usual."""

_NICENESS = 5
"""Niceness of the process for large objects: a third of the weight."""

_CACHE_SIZE = 16 << 20
"""Bytes of cached results."""

_LIMIT_EXCEEDED = LintResult(limit_exceeded=True)


@dataclass(slots=True)
class _Pending:
    """A request in progress, and how many callers wait for its result."""

    request: LintRequest
    task: asyncio.Task[LintResult]
    waiting: int = 0


class LintPool:
    """Lints objects; equal objects share one request and one cached result.

    `seconds` is the processor time for a large object, `timeout` the longest wait for a
    result in seconds of the clock. A change of `crds` invalidates the cache.
    `targets` are texts such as `flux=2.9`.
    """

    def __init__(
        self,
        seconds: float,
        timeout: float,
        schemas: Sequence[Path] = (),
        crds: CrdStore | None = None,
        targets: Sequence[str] = (),
    ) -> None:
        self._crds = crds or CrdStore()
        arguments = (",".join(targets), *map(str, schemas))
        self._slots = tuple(
            LintSlot(each, timeout, arguments, self._crds, niceness)
            for each, niceness in ((SMALL_SECONDS, 0), (seconds, _NICENESS))
        )
        self._timeout = timeout
        self._cache = ResultCache(_CACHE_SIZE)
        self._pending: dict[bytes, _Pending] = {}

    @property
    def ready(self) -> bool:
        """Whether at least one slot has a process; each restarts its own."""
        return any(slot.ready for slot in self._slots)

    async def start(self) -> None:
        """Warm the processes up; raises `ProcessDiedError`."""
        await asyncio.gather(*(slot.start() for slot in self._slots))

    async def stop(self) -> None:
        """End the processes and all requests."""
        tasks = [pending.task for pending in self._pending.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(slot.stop() for slot in self._slots))

    async def lint(self, text: bytes, *, opt_out: bool) -> LintResult:
        """The result for an object in JSON; raises `ProcessDiedError`.

        A request that nobody waits for is dropped unless it has started; one that has
        started goes on, and its result is cached.
        """
        salt = f"{opt_out:d} {self._crds.version}".encode()
        key = blake2b(text, digest_size=16, key=salt).digest()
        if cached := self._cache.get(key):
            return cached
        pending = self._request(key, text, opt_out)
        pending.waiting += 1
        try:
            async with asyncio.timeout(self._timeout):
                return await asyncio.shield(pending.task)
        except (TimeoutError, QueueFullError, NoAnswerError):
            return _LIMIT_EXCEEDED
        finally:
            pending.waiting -= 1
            if not pending.waiting and not pending.request.started:
                self._done(key, pending)
                pending.task.cancel()

    def _request(self, key: bytes, text: bytes, opt_out: bool) -> _Pending:
        """The pending request for an object, a new one if there is none."""
        if pending := self._pending.get(key):
            return pending
        request = LintRequest(text, opt_out)
        pending = _Pending(request, asyncio.create_task(self._lint(key, request)))
        pending.task.add_done_callback(lambda _: self._done(key, pending))
        self._pending[key] = pending
        return pending

    async def _lint(self, key: bytes, request: LintRequest) -> LintResult:
        result = await self._lint_in_slot(key, request)
        self._cache.put(key, result)
        return result

    async def _lint_in_slot(self, key: bytes, request: LintRequest) -> LintResult:
        """Raises what slots raise; `QueueFullError` if nobody waits after the first slot."""
        for slot in self._slots if len(request.text) <= SMALL else self._slots[1:]:
            try:
                return await slot.lint(request)
            except LintLimitError:
                if not self._pending[key].waiting:
                    raise QueueFullError from None
        return _LIMIT_EXCEEDED

    def _done(self, key: bytes, pending: _Pending) -> None:
        if self._pending.get(key) is pending:
            del self._pending[key]
        if pending.task.done() and not pending.task.cancelled():
            pending.task.exception()  # mark it as retrieved: nobody may be waiting
