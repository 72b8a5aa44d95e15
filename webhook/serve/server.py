"""The process that serves: puts all parts together, from the start to the signal that ends it."""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import os
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from celvet import schemas
from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.serving.keeper import NothingToServeError
from celvet.lint.config.table import ConfigError
from celvet.lint.model import GroupKind
from celvet.lint.why.inputs.api import ClusterError
from celvet.webhook import memory_budget
from celvet.webhook.crds.store import CrdStore
from celvet.webhook.crds.watcher import CrdWatcher
from celvet.webhook.decide.admission import AdmissionDecision
from celvet.webhook.decide.policy import Mode
from celvet.webhook.decide.policy_file import PolicyFile
from celvet.webhook.decide.review import Review
from celvet.webhook.http.client_limits import Limits
from celvet.webhook.http.connections import Connections, accept_backlog
from celvet.webhook.http.handler import Webhook
from celvet.webhook.http.health import Callers, Health, HealthCheck, health_response
from celvet.webhook.judging.child import ChildSettings
from celvet.webhook.judging.pool import JudgingPool
from celvet.webhook.judging.process import ProcessDiedError
from celvet.webhook.logs import LogThrottle
from celvet.webhook.metrics import CONTENT_TYPE, Metrics
from celvet.webhook.options import CANNOT_START, ServeOptions, parse_address
from celvet.webhook.serve import certificate
from celvet.webhook.serve.events import EventRecorder
from celvet.webhook.serve.open_files import TooFewFilesError, allow_files

if TYPE_CHECKING:
    from celvet.certs.stores.cluster import Cluster
    from celvet.webhook.serve.audit import StoredObjectsAudit

_log = logging.getLogger(__name__)

_BACKLOG = 1024
_ACCEPTED = 4
"""Connections that a turn of the event loop accepts at most: `asyncio` has one number for these and
for the backlog, and each takes a third of a millisecond."""

_RECEIVED = 32 * 1024
"""Bytes of a connection that the kernel holds (Linux: twice as many), and a turn of the event loop
reads at most: in a turn with many large bodies, small ones wait for all of them."""

_CERTIFICATE_TIMEOUT = 30.0
"""Seconds to get the first certificate."""

_LINGER = 3.0
"""Seconds for the first request of a connection while draining."""

_STATUS_LIMITS = Limits(connections=32, first_request=5, idle=30)
"""Of the status port; any pod may connect to it."""

_LAST_GOOD_POLICY = "last-good-policy.yaml"


class WebhookServer:
    """All parts of a server; raises the errors that `run` logs as one line."""

    def __init__(self, options: ServeOptions, listener: socket.socket) -> None:
        self._options = options
        self._listener = listener
        kinds = _catalog(options).served_kinds
        self._metrics = Metrics(frozenset(GroupKind(kind.group, kind.kind) for kind in kinds))
        self._policy = _policy(options)
        self._metrics.record_reload("config", successful=self._policy.problem is None)
        crds = CrdStore()
        self._watcher = self._crd_watcher(crds) if options.crds_from_api_server else None
        limit = options.memory_limit * memory_budget.MIB or memory_budget.limit()
        budget = memory_budget.MemoryBudget.of(limit, options.workers, options.max_body_bytes)
        if budget.least > limit:
            mib = math.ceil(budget.least / memory_budget.MIB)
            _log.warning(
                "with these options all processes may need %d MiB: more than there is", mib
            )
        self._limits = Limits(
            body_bytes=options.max_body_bytes,
            large_bodies=budget.large_bodies,
            connections=memory_budget.CONNECTIONS,
            handshakes=memory_budget.HANDSHAKES,
        )
        self._pool = _pool(options, budget, crds, self._metrics)
        self._events = self._recorder() if options.events else None
        self._webhook = Webhook(
            self._pool,
            lambda: self._policy.policy,
            self._metrics,
            self.health,
            self._limits,
            self._decided,
        )
        self._audit = self._stored_objects_audit() if options.audit_existing else None
        self._callers = Callers()
        self._tls = certificate.live_tls(options)
        self._keeper = certificate.keeper(
            options,
            self._tls,
            lambda good: self._metrics.record_reload("certificate", successful=good),
        )
        self._observe()

    def _crd_watcher(self, crds: CrdStore) -> CrdWatcher:
        cluster = _cluster(self._options)
        return CrdWatcher(cluster.definitions(), crds, self._metrics, cluster.clock)

    def _recorder(self) -> EventRecorder:
        cluster, excluded = _cluster(self._options), frozenset(self._options.events_excluded)
        return EventRecorder(cluster, self._metrics, cluster.clock, excluded)

    def _stored_objects_audit(self) -> StoredObjectsAudit:
        """Imports the readers of a cluster only here."""
        from celvet.lint.why.inputs.cluster import ClusterApi
        from celvet.webhook.serve.audit import StoredObjectsAudit

        options = self._options
        try:
            api = ClusterApi.connect(_kubeconfig(options), None)
        except ClusterError as error:
            raise StoreError(str(error)) from None
        judging = options.audit_existing, _catalog(options), self._webhook.decide
        return StoredObjectsAudit(api, *judging, self._metrics, reports=options.audit_reports)

    def health(self) -> Mapping[str, HealthCheck]:
        """The state of the parts; the server is ready if nothing that is needed has a problem."""
        return {
            "shutdown": HealthCheck("shutting down" if self._webhook.draining else ""),
            "certificate": HealthCheck("" if self._keeper.ready else "no valid certificate"),
            "engine": HealthCheck("" if self._pool.ready else "the engine is starting"),
            "callers": HealthCheck(self._callers.problem, needed=False),
        }

    def _decided(self, review: Review, decision: AdmissionDecision) -> None:
        self._callers.note_review()
        if self._events:
            self._events.record(review, decision)

    async def run(self) -> None:
        """Serve until SIGTERM, SIGINT or SIGHUP, then drain."""
        end = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(partial(_log_loop_error, LogThrottle()))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
                loop.add_signal_handler(number, end.set)
        address = self._options.metrics_bind_address
        async with _status_server(
            address,
            self.health,
            self._metrics,
            self._tls.context if self._options.metrics_tls else None,
        ) as bound:
            host, port = self._listener.getsockname()[:2]
            fields = {"address": host, "port": port, "metrics": bound}
            _log.info("listening", extra={"fields": fields})
            try:
                # The status port answers first, so that the kubelet sees a server that starts, and
                # not a dead one.
                if await self._start_unless_ended(end):
                    gc.collect()
                    gc.freeze()  # the garbage collector need not walk the objects that stay
                    await self._serve(end)
            finally:
                await self._pool.stop()

    async def _start_unless_ended(self, end: asyncio.Event) -> bool:
        """Warm up the engine and get a certificate; False if a signal comes first."""
        ending: asyncio.Task[Any] = asyncio.create_task(end.wait())
        starting: asyncio.Task[Any] = asyncio.create_task(self._start())
        await asyncio.wait({ending, starting}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not starting.done():
            starting.cancel()
            return False
        await starting
        return True

    async def _start(self) -> None:
        await asyncio.gather(self._pool.start(), self._keeper.start(_CERTIFICATE_TIMEOUT))

    async def _serve(self, end: asyncio.Event) -> None:
        connections = Connections(
            self._webhook.handle,
            self._limits,
            self._tls.context,
            self._metrics.count_error,
            self._callers.note_failure,
        )
        loop = asyncio.get_running_loop()
        server = await loop.create_server(connections, sock=self._listener, backlog=_ACCEPTED)
        self._listener.listen(_BACKLOG)
        async with _background(self._tasks()):
            await end.wait()
            self._webhook.draining = True
            await asyncio.sleep(self._options.shutdown_delay)
            for connection in accept_backlog(self._listener):
                await loop.connect_accepted_socket(connections, connection)
            server.close()
            await connections.drain(self._options.drain_timeout, _LINGER)

    def _tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._keeper.run()
        yield self._reread_policy()
        if self._watcher:
            yield self._watcher.run()
        if self._events:
            yield self._events.run()
        if self._audit:
            yield self._audit.run()

    async def _reread_policy(self) -> None:
        while True:
            await asyncio.sleep(self._options.reload_interval)
            try:
                if self._policy.reload():
                    good = self._policy.problem is None
                    self._metrics.record_reload("config", successful=good)
            except Exception:
                _log.exception("cannot check whether the policy has changed")

    def _observe(self) -> None:
        observe = self._metrics.observe
        observe("queue_length", "Reviews that wait.", lambda: self._pool.waiting)
        observe("requests_in_flight", "Requests in progress.", lambda: self._webhook.active)
        observe(
            "certificate_expiry_timestamp_seconds",
            "End of the serving certificate, Unix time.",
            lambda: self._keeper.not_after.timestamp() if self._keeper.not_after else 0.0,
        )


@asynccontextmanager
async def _background(tasks: Iterator[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run tasks in the background, and cancel them at the end."""
    running = [asyncio.create_task(task) for task in tasks]
    try:
        yield
    finally:
        for task in running:
            task.cancel()


def _kubeconfig(options: ServeOptions) -> Path | None:
    return Path(options.kubeconfig) if options.kubeconfig else None


def _cluster(options: ServeOptions) -> Cluster:
    """The cluster of the kubeconfig, else that of the service account; raises `StoreError`.

    Imports the Kubernetes client only here: 10 MB.
    """
    from celvet.certs.stores.cluster import Cluster

    return Cluster.connect(_kubeconfig(options))


def _catalog(options: ServeOptions) -> schemas.Catalog:
    return schemas.load(tuple(map(Path, options.schemas)))


def _policy(options: ServeOptions) -> PolicyFile:
    state = Path(options.state_directory) if options.state_directory else None
    return PolicyFile(
        Path(options.config) if options.config else None,
        Mode[options.enforce.upper()],
        last_good=state / _LAST_GOOD_POLICY if state else None,
    )


def _pool(
    options: ServeOptions, budget: memory_budget.MemoryBudget, crds: CrdStore, metrics: Metrics
) -> JudgingPool:
    pairs = (target.partition("=") for target in options.targets)
    settings = ChildSettings(
        budget.process,
        schemas=tuple(map(Path, options.schemas)),
        targets=tuple((name, version) for name, _, version in pairs),
    )
    return JudgingPool(
        settings,
        _catalog(options),
        processes=options.workers,
        timeout=options.judge_timeout,
        cache_size=memory_budget.CACHE,
        crds=crds,
        replaced=metrics.count_replacement,
        cached=metrics.count_cache_hit,
    )


def run(options: ServeOptions) -> int:
    """Serve; the exit status. Raises `OSError` if a port is not available."""
    os.environ.setdefault("PYTHONSAFEPATH", "1")  # no modules from the working directory
    family = socket.AF_INET6 if ":" in options.bind_address else socket.AF_INET
    address = (options.bind_address, options.port)
    try:
        bound = socket.create_server(address, family=family, backlog=_BACKLOG)
    except OSError as error:
        raise _cannot_listen(f"{options.bind_address}:{options.port}", error) from None
    with bound as listener:
        listener.setblocking(False)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVED)
        clients = memory_budget.CONNECTIONS + memory_budget.HANDSHAKES
        try:
            allow_files(clients=clients, processes=options.workers)
            asyncio.run(WebhookServer(options, listener).run())
        except (
            NothingToServeError,
            TooFewFilesError,
            ConfigError,
            StoreError,
            UnusableError,
            ProcessDiedError,
            schemas.CatalogError,
        ) as error:
            _log.critical("cannot serve: %s", error)
            return CANNOT_START
    return 0


def _cannot_listen(address: str, error: OSError) -> OSError:
    """The error with the address as the user gave it, which Python shows in different forms."""
    reason = (error.strerror or str(error)).partition(" (while")[0]  # of `socket.create_server`
    if error.errno and error.errno > 0:  # else it is about the name
        reason = os.strerror(error.errno)
    return OSError(error.errno, f"cannot listen on {address}: {reason}")


def _status_response(request: web.BaseRequest, health: Health, metrics: Metrics) -> web.Response:
    """The answer of the status port: whether the server lives and is ready, and its metrics."""
    if request.method not in ("GET", "HEAD"):
        return web.Response(text="method not allowed", status=405)
    if request.path == "/metrics":
        return web.Response(body=metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})
    return health_response(request, health) or web.Response(text="not found", status=404)


def _log_loop_error(throttle: LogThrottle, loop: asyncio.AbstractEventLoop, context: Any) -> None:
    """Log a failure to accept connections once a minute: `asyncio` tries again all the time."""
    message = context["message"]
    if not isinstance(context.get("exception"), OSError) or "accept" not in message:
        loop.default_exception_handler(context)
    elif throttle.allows(message, loop.time()):
        _log.error("cannot accept connections: %s", context["exception"])


@asynccontextmanager
async def _status_server(
    address: str, health: Health, metrics: Metrics, tls: ssl.SSLContext | None
) -> AsyncIterator[str]:
    """Serve at `HOST:PORT`; gives the bound address. Raises `OSError`."""

    async def respond(request: web.BaseRequest) -> web.StreamResponse:
        return _status_response(request, health, metrics)

    host, port = parse_address(address)
    connections = Connections(respond, _STATUS_LIMITS, tls)
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(connections, host, port, backlog=_ACCEPTED)
    except OSError as error:
        raise _cannot_listen(address, error) from None
    try:
        yield "{}:{}".format(*server.sockets[0].getsockname()[:2])
    finally:
        server.close()
        await connections.drain(1, 0)
