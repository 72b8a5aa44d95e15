"""A process that serves, started by the supervisor: `python -m celvet.webhook.process.worker`.

It accepts connections from an inherited socket, reports its state over its channel, and
ends on SIGTERM or when the supervisor has ended: no worker outlives its supervisor.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

from celvet import schemas
from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.serving.keeper import Keeper, NothingToServeError
from celvet.lint.model import GroupKind
from celvet.webhook import logs
from celvet.webhook.crds.store import CrdStore
from celvet.webhook.crds.watcher import cluster_watcher
from celvet.webhook.decide.admission import Admission
from celvet.webhook.decide.policy import Mode
from celvet.webhook.decide.policy_file import PolicyError, PolicyFile
from celvet.webhook.http.connections import Connections, not_accepted
from celvet.webhook.http.limits import Limits
from celvet.webhook.http.server import Webhook
from celvet.webhook.judging.pool import LintPool
from celvet.webhook.judging.process import ProcessDiedError
from celvet.webhook.metrics import Metrics
from celvet.webhook.options import CANNOT_START, ServeOptions
from celvet.webhook.process import certificate
from celvet.webhook.process.channel import Handover, SupervisorChannel, read_handover

_log = logging.getLogger(__name__)

_CERTIFICATE_TIMEOUT = 30.0
"""Seconds to get the first certificate."""

_HEARTBEAT = 0.5
_LINGER = 3.0
"""Seconds for the first request of a connection while draining."""


class Worker:
    """All parts of a server; raises the errors that `main` logs as one line."""

    def __init__(self, options: ServeOptions, handover: Handover) -> None:
        self._options = options
        self._handover = handover
        self._channel = SupervisorChannel()
        directories = tuple(map(Path, options.schemas))
        catalog = schemas.load(directories)
        self._policy = PolicyFile(
            Path(options.config) if options.config else None,
            Mode[options.enforce.upper()],
            last_good=handover.policy_file,
            loaded=lambda content: self._channel.send_handover(policy=content),
        )
        self._metrics = Metrics(Path(options.directory), str(options.slot))
        crds = CrdStore()
        self._watcher = (
            cluster_watcher(options.kubeconfig, crds, self._metrics)
            if options.crds_from_api_server
            else None
        )
        timeout = options.judge_timeout
        self._pool = LintPool(timeout * 0.8, timeout, directories, crds, options.targets)
        self._tls = certificate.live_tls(options)
        self._keeper: Keeper | None = None
        limits = Limits(body_bytes=options.max_body_bytes)
        admission = Admission(self._pool, lambda: self._policy.policy, catalog)
        kinds = frozenset(GroupKind(kind.group, kind.kind) for kind in catalog.kinds)
        self._webhook = Webhook(admission, self._metrics, self.problem, limits, kinds)
        self._limits = limits

    def problem(self) -> str | None:
        """Why this worker is not ready; None if it is."""
        if self._webhook.draining:
            return "shutting down"
        if self._keeper is None or not self._keeper.ready:
            return "no valid certificate"
        return None if self._pool.ready else "the engine is starting"

    async def run(self) -> None:
        """Serve until SIGTERM, then drain."""
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        await self._channel.connect(ended.set)
        reporting = asyncio.create_task(self._report())
        self._keeper = certificate.keeper(self._options, self._tls, self._loaded)
        if self._handover.pair:
            self._keeper.inherit(*self._handover.pair)
        if await self._started(self._keeper, ended):
            await self._serve(self._keeper, ended)
        await self._pool.stop()
        reporting.cancel()

    def _loaded(self, chain: bytes, key: bytes) -> None:
        self._channel.send_handover(certificate=chain, key=key)

    async def _started(self, keeper: Keeper, ended: asyncio.Event) -> bool:
        """Warm the engine up and get a certificate; False if the end comes first."""
        ending: asyncio.Task[Any] = asyncio.create_task(ended.wait())
        starting: asyncio.Task[Any] = asyncio.create_task(self._start(keeper))
        await asyncio.wait({ending, starting}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not starting.done():
            starting.cancel()
            return False
        await starting
        return True

    async def _start(self, keeper: Keeper) -> None:
        await asyncio.gather(self._pool.start(), keeper.start(_CERTIFICATE_TIMEOUT))

    async def _serve(self, keeper: Keeper, ended: asyncio.Event) -> None:
        connections = Connections(
            self._webhook.handle, self._limits, lambda: self._metrics.failed("connections")
        )
        loop, listener = asyncio.get_running_loop(), socket.socket(fileno=self._options.listener)
        tls: dict[str, Any] = {
            "ssl": self._tls.context,
            "ssl_handshake_timeout": self._limits.first_request,
            "ssl_shutdown_timeout": 2.0,
        }
        server = await loop.create_server(connections, sock=listener, **tls)
        tasks = [asyncio.create_task(each) for each in self._background(keeper)]
        await ended.wait()
        self._webhook.draining = True
        self._send_state()
        await asyncio.sleep(self._options.shutdown_delay)
        late = asyncio.gather(
            *(
                loop.connect_accepted_socket(connections, each, **tls)
                for each in not_accepted(listener)
            ),
            return_exceptions=True,
        )
        server.close()
        await asyncio.sleep(0)  # each is now among the connections
        await connections.drain(self._options.drain_timeout, _LINGER)
        late.cancel()
        for task in tasks:
            task.cancel()

    def _background(self, keeper: Keeper) -> Iterator[Coroutine[Any, Any, None]]:
        yield keeper.run()
        yield self._reread_policy()
        if self._watcher:
            yield self._watcher.run()

    async def _report(self) -> None:
        while True:
            self._send_state()
            await asyncio.sleep(_HEARTBEAT)

    def _send_state(self) -> None:
        """Update the metrics and send a heartbeat."""
        if self._keeper and self._keeper.not_after:
            self._metrics.set_certificate_expiry(self._keeper.not_after.timestamp())
        self._channel.send_problem(self.problem())

    async def _reread_policy(self) -> None:
        while True:
            await asyncio.sleep(self._options.reload_interval)
            try:
                self._policy.reload()
            except Exception:
                _log.exception("cannot check whether the policy has changed")


def main(text: str) -> int:
    """Serve with options in JSON; the exit status."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # from the terminal: the supervisor acts
    options = ServeOptions.from_json(text)
    logs.configure(options.log_level)
    try:
        worker = Worker(options, read_handover())
        asyncio.run(worker.run())
    except (
        NothingToServeError,
        PolicyError,
        StoreError,
        UnusableError,
        ProcessDiedError,
        schemas.CatalogError,
    ) as error:
        _log.critical("cannot serve: %s", error)
        return CANNOT_START
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
