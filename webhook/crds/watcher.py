"""Keeps what is known of the cluster's own kinds like the cluster: lists its CRDs, then watches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any, Protocol

from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError
from celvet.webhook.crds.store import Collection, Definitions
from celvet.webhook.metrics import Metrics

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 300.0

_WATCH = 1800.0
"""Seconds after which all is listed again: a watch over a broken connection is silent."""


class Source(Protocol):
    """An API server's CRDs; both raise `StoreError`."""

    def all(self) -> AsyncGenerator[dict[str, Any]]:
        """Each of them."""
        ...

    def watch(self) -> AsyncGenerator[tuple[dict[str, Any], bool]]:
        """Each that changes from then on, and whether it is still there."""
        ...


class Watching:
    """Publishes the CRDs of a source; what is known stays while the source fails."""

    def __init__(
        self,
        source: Source,
        definitions: Definitions,
        metrics: Metrics,
        clock: Clock | None = None,
        patience: float = _WATCH,
    ) -> None:
        self._source = source
        self._definitions = definitions
        self._metrics = metrics
        self._clock = clock or Clock()
        self._patience = patience
        self._problem = ""
        self._left_out = 0

    async def run(self) -> None:
        """List, watch, and list again after each failure, until cancelled."""
        pauses = self._clock.pauses(_FIRST_PAUSE, _LONGEST_PAUSE)
        while True:
            try:
                collection = await self._listed()
                pauses = self._clock.pauses(_FIRST_PAUSE, _LONGEST_PAUSE)
                async with asyncio.timeout(self._patience):
                    await self._follow(collection)
            except TimeoutError:
                continue
            except StoreError as error:
                self._failed(str(error))
            except Exception as error:
                # A defect here must not be the end of what does without: judging.
                _log.exception("the CRDs could not be looked after")
                self._failed(f"internal error: {type(error).__name__}: {error}")
            await self._clock.sleep(next(pauses))

    async def _listed(self) -> Collection:
        collection = Collection()
        async with aclosing(self._source.all()) as listed:
            async for document in listed:
                collection.take(document)
        self._publish(collection)
        self._problem = ""
        return collection

    async def _follow(self, collection: Collection) -> None:
        async with aclosing(self._source.watch()) as changes:
            async for document, there in changes:
                (collection.take if there else collection.drop)(document)
                self._publish(collection)

    def _publish(self, collection: Collection) -> None:
        kinds = collection.kinds()
        self._definitions.publish(kinds)
        self._metrics.knows_kinds(len(kinds), self._clock.now().timestamp())
        if len(collection.left_out) > self._left_out:
            fields = {"count": len(collection.left_out), "one": min(collection.left_out)}
            _log.warning("CRDs that are too large or too many", extra={"fields": fields})
        self._left_out = len(collection.left_out)

    def _failed(self, problem: str) -> None:
        self._metrics.failed_to_watch()
        if problem != self._problem:
            _log.error("%s; what is known of kinds stays", problem)
        self._problem = problem


def watching(kubeconfig: str, definitions: Definitions, metrics: Metrics) -> Watching:
    """Watch the cluster that a kubeconfig leads to, else the own one; raises `StoreError`.

    What talks to the API server is loaded only here: 10 MB.
    """
    from celvet.certs.stores.cluster import Cluster

    cluster = Cluster.connect(Path(kubeconfig) if kubeconfig else None)
    return Watching(cluster.definitions(), definitions, metrics, cluster.clock)
