"""Keeps a `CrdStore` current: lists the CRDs of a cluster, then watches them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Protocol

from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError
from celvet.webhook.crds.store import CrdCollection, CrdStore
from celvet.webhook.metrics import Metrics

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 300.0

_WATCH = 1800.0
"""Seconds until the next list, since a watch does not notice a broken connection."""


class CrdSource(Protocol):
    """An API server's CRDs; both methods raise `StoreError`."""

    def all(self) -> AsyncGenerator[dict[str, Any]]:
        """Every CRD that the API server has now."""
        ...

    def watch(self) -> AsyncGenerator[tuple[dict[str, Any], bool]]:
        """Each CRD that changes after `all`, and whether it still exists."""
        ...


class CrdWatcher:
    """Publishes the CRDs of a source; while the source fails, the last ones stay."""

    def __init__(
        self,
        source: CrdSource,
        crds: CrdStore,
        metrics: Metrics,
        clock: Clock | None = None,
        watch_seconds: float = _WATCH,
    ) -> None:
        self._source = source
        self._crds = crds
        self._metrics = metrics
        self._clock = clock or Clock()
        self._watch_seconds = watch_seconds
        self._problem = ""
        self._left_out = 0

    async def run(self) -> None:
        """List, watch, and list again after each failure, until cancelled."""
        pauses = self._clock.pauses(_FIRST_PAUSE, _LONGEST_PAUSE)
        while True:
            try:
                collection = await self._list_all()
                pauses = self._clock.pauses(_FIRST_PAUSE, _LONGEST_PAUSE)
                async with asyncio.timeout(self._watch_seconds):
                    await self._follow(collection)
            except TimeoutError:
                continue
            except StoreError as error:
                self._report_failure(str(error))
            except Exception as error:
                # A bug here must not end the server, which works without CRDs.
                _log.exception("the CRDs could not be updated")
                self._report_failure(f"internal error: {type(error).__name__}: {error}")
            await self._clock.sleep(next(pauses))

    async def _list_all(self) -> CrdCollection:
        collection = CrdCollection()
        async with aclosing(self._source.all()) as definitions:
            async for document in definitions:
                collection.put(document)
        self._publish(collection)
        self._problem = ""
        return collection

    async def _follow(self, collection: CrdCollection) -> None:
        async with aclosing(self._source.watch()) as changes:
            async for document, exists in changes:
                (collection.put if exists else collection.remove)(document)
                self._publish(collection)

    def _publish(self, collection: CrdCollection) -> None:
        kinds = collection.kinds()
        self._crds.publish(kinds)
        self._metrics.set_crds(len(kinds), self._clock.now().timestamp())
        if len(collection.left_out) > self._left_out:
            fields = {"count": len(collection.left_out), "one": min(collection.left_out)}
            _log.warning("CRDs beyond the limits are ignored", extra={"fields": fields})
        self._left_out = len(collection.left_out)

    def _report_failure(self, problem: str) -> None:
        self._metrics.count_watch_error()
        if problem != self._problem:
            _log.error("%s; the CRDs stay as they are", problem)
        self._problem = problem
