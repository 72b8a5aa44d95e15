"""A process that serves, started by the supervisor: `python -m celvet.webhook.process.worker`.

It accepts from a socket that it has inherited, says how it does over its `tether` and
ends when SIGTERM comes or the tether's other end has gone: no worker outlives its
supervisor.
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
from celvet.webhook.crds.store import Definitions
from celvet.webhook.crds.watcher import watching
from celvet.webhook.decide.admission import Admission
from celvet.webhook.decide.policy import Mode
from celvet.webhook.decide.policy_file import PolicyError, PolicyFile
from celvet.webhook.http.connections import Connections, not_accepted
from celvet.webhook.http.limits import Limits
from celvet.webhook.http.server import Webhook
from celvet.webhook.judging.pool import Court
from celvet.webhook.judging.process import JudgeDiedError
from celvet.webhook.metrics import Metrics
from celvet.webhook.options import CANNOT_START, Options
from celvet.webhook.process import certificate
from celvet.webhook.process.channel import Legacy, Tether, inherited

_log = logging.getLogger(__name__)

_PATIENCE = 30.0
_REPORT = 0.5
_LINGER = 3.0


class Worker:
    """Everything that serves, put together; raises what `main` tells as one line."""

    def __init__(self, options: Options, legacy: Legacy) -> None:
        self._options = options
        self._legacy = legacy
        self._tether = Tether()
        directories = tuple(map(Path, options.schemas))
        catalog = schemas.load(directories)
        self._policy = PolicyFile(
            Path(options.config) if options.config else None,
            Mode[options.enforce.upper()],
            before=legacy.policy_file,
            loaded=lambda content: self._tether.leave(policy=content),
        )
        self._metrics = Metrics(Path(options.directory), str(options.slot))
        known = Definitions()
        self._watching = (
            watching(options.kubeconfig, known, self._metrics)
            if options.crds_from_api_server
            else None
        )
        patience = options.judge_timeout
        self._court = Court(patience * 0.8, patience, directories, known)
        self._tls = certificate.live_tls(options)
        self._keeper: Keeper | None = None
        limits = Limits(body_bytes=options.max_body_bytes)
        admission = Admission(self._court, lambda: self._policy.policy, catalog)
        kinds = frozenset(GroupKind(kind.group, kind.kind) for kind in catalog.kinds)
        self._webhook = Webhook(admission, self._metrics, self.problem, limits, kinds)
        self._limits = limits

    def problem(self) -> str | None:
        """Why this worker should get no requests; None if it should."""
        if self._webhook.draining:
            return "shutting down"
        if self._keeper is None or not self._keeper.ready:
            return "no valid certificate"
        return None if self._court.ready else "the engine is starting"

    async def run(self) -> None:
        """Serve until told to end, then drain."""
        ended = _ended()
        await self._tether.connect(ended.set)
        reporting = asyncio.create_task(self._report())
        self._keeper = certificate.keeper(self._options, self._tls, self._loaded)
        if self._legacy.pair:
            self._keeper.inherit(*self._legacy.pair)
        if await self._started(self._keeper, ended):
            await self._serve(self._keeper, ended)
        await self._court.stop()
        reporting.cancel()

    def _loaded(self, chain: bytes, key: bytes) -> None:
        self._tether.leave(certificate=chain, key=key)

    async def _started(self, keeper: Keeper, ended: asyncio.Event) -> bool:
        """Get the engine warm and a certificate; False if told to end before that."""
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
        await asyncio.gather(self._court.start(), keeper.start(_PATIENCE))

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
        chores = [asyncio.create_task(chore) for chore in self._chores(keeper)]
        await ended.wait()
        self._webhook.draining = True
        self._tell()
        await asyncio.sleep(self._options.shutdown_delay)
        late = asyncio.gather(
            *(
                loop.connect_accepted_socket(connections, each, **tls)
                for each in not_accepted(listener)
            ),
            return_exceptions=True,
        )
        server.close()
        await asyncio.sleep(0)  # each has entered its place among the connections
        await connections.drain(self._options.drain_timeout, _LINGER)
        late.cancel()
        for chore in chores:
            chore.cancel()

    def _chores(self, keeper: Keeper) -> Iterator[Coroutine[Any, Any, None]]:
        yield keeper.run()
        yield self._reread_policy()
        if self._watching:
            yield self._watching.run()

    async def _report(self) -> None:
        while True:
            self._tell()
            await asyncio.sleep(_REPORT)

    def _tell(self) -> None:
        """Tell the supervisor how it goes, in its metrics and over the tether."""
        if self._keeper and self._keeper.not_after:
            self._metrics.serves_until(self._keeper.not_after.timestamp())
        self._tether.say_problem(self.problem())

    async def _reread_policy(self) -> None:
        while True:
            await asyncio.sleep(self._options.reload_interval)
            try:
                self._policy.reload()
            except Exception:
                _log.exception("cannot look whether the policy has changed")


def _ended() -> asyncio.Event:
    """Set when SIGTERM comes."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    return ended


def main(text: str) -> int:
    """Serve by the options in JSON; the exit status."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # a terminal's, to all: the supervisor heeds it
    options = Options.from_json(text)
    logs.configure(options.log_level)
    try:
        worker = Worker(options, inherited())
        asyncio.run(worker.run())
    except (
        NothingToServeError,
        PolicyError,
        StoreError,
        UnusableError,
        JudgeDiedError,
        schemas.CatalogError,
    ) as error:
        _log.critical("cannot serve: %s", error)
        return CANNOT_START
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
