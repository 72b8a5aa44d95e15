"""Leaf and authority rotate four times while clients send requests without pause.

Two replicas share a Secret and publish to one API server; real TLS sockets, virtual
dates. Certificates are backdated by more than the test's virtual span, so that the
clients, who check dates by the real clock, can check them all.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import aiohttp
from aiohttp import web

from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.issuer import Issuer
from celvet.certs.serving.keeper import Keeper
from celvet.certs.serving.tls import LiveTLS
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from celvet.certs.stores.webhook_configuration import WebhookConfiguration
from tests.certs.acceptance import client_context
from tests.certs.api_server import ApiServer
from tests.certs.virtual_time import VirtualTime, run

NAME = "webhook.celvet.svc"
NAMES = Names.parse([NAME])
POLICY = RenewalPolicy(
    leaf_validity=timedelta(minutes=30),
    authority_validity=timedelta(minutes=100),
    renew_at=0.5,
    propagation=timedelta(minutes=16),
    backdate=timedelta(days=30),
)
STEP = timedelta(minutes=8)
STALENESS = POLICY.propagation - STEP
"""A step of virtual time may pass while a request is under way."""
ROTATIONS = 4
_context = lru_cache(client_context)


class Replica:
    def __init__(self, cluster: Cluster) -> None:
        self.tls = LiveTLS()
        store = SecretStore(cluster, "ns", "name")
        publisher = WebhookConfiguration(cluster, "hooks", NAMES)
        issuer = Issuer(store, NAMES, POLICY, publisher=publisher, clock=cluster.clock)
        self.keeper = Keeper(issuer, self.tls, clock=cluster.clock)
        self.port = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        app = web.Application()
        app.router.add_post("/validate", _answer)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=self.tls.context).start()
            self.port = runner.addresses[0][1]
            yield
        finally:
            await runner.cleanup()


async def _answer(request: web.Request) -> web.Response:
    return web.Response(body=await request.read())


class Load:
    """Clients without pause; what they did and what failed."""

    def __init__(self, replicas: list[Replica]) -> None:
        self._replicas = replicas
        self.sent: list[int] = []
        self.failures: list[str] = []
        self.connections = 0
        self._progress = asyncio.Condition()

    async def steady(self, replica: Replica, ca_bundle: bytes) -> None:
        """One connection for all requests, as the API server's; a second one is a drop."""
        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(self._count_connection)
        connector = aiohttp.TCPConnector(limit=1, ssl=_context(ca_bundle))
        async with aiohttp.ClientSession(connector=connector, trace_configs=[trace]) as session:
            await self._send_forever(lambda: self._request(session, replica))

    async def fresh(self, trusted: Callable[[], bytes]) -> None:
        """A new connection for each request, verified by what is trusted at that moment."""

        async def once() -> None:
            replica = random.choice(self._replicas)
            connector = aiohttp.TCPConnector(ssl=_context(trusted()), force_close=True)
            async with aiohttp.ClientSession(connector=connector) as session:
                await self._request(session, replica)

        await self._send_forever(once)

    async def more_from_all(self, requests: int) -> None:
        """Wait until every client has had so many more answers."""
        goal = [count + requests for count in self.sent]

        def reached() -> bool:
            return all(count >= least for count, least in zip(self.sent, goal, strict=True))

        async with self._progress:
            await asyncio.wait_for(self._progress.wait_for(reached), 300)

    async def _request(self, session: aiohttp.ClientSession, replica: Replica) -> None:
        url = f"https://127.0.0.1:{replica.port}/validate"
        async with session.post(url, data=b"review", server_hostname=NAME) as response:
            assert await response.read() == b"review"

    async def _send_forever(self, send: Callable[[], object]) -> None:
        client = len(self.sent)
        self.sent.append(0)
        while True:
            try:
                await send()  # type: ignore[misc]
            except Exception as error:
                self.failures.append(f"{type(error).__name__}: {error}")
            async with self._progress:
                self.sent[client] += 1
                self._progress.notify_all()

    async def _count_connection(self, *_: object) -> None:
        self.connections += 1


class Publications:
    """What the API server's configuration held, by virtual time."""

    def __init__(self, api: ApiServer, time: VirtualTime) -> None:
        self._api = api
        self._time = time
        self._history: list[tuple[datetime, bytes]] = []

    def note(self) -> None:
        self._history.append((self._time.now(), self.current()))

    def current(self) -> bytes:
        return self._api.ca_bundle()

    def stale(self) -> bytes:
        moment = self._time.now() - STALENESS
        return next(
            (bundle for at, bundle in reversed(self._history) if at <= moment),
            self._history[0][1],
        )


def test_no_request_fails_and_no_connection_drops(tmp_path: Path) -> None:
    time = VirtualTime(datetime.now(UTC).replace(microsecond=0))
    api = ApiServer(now=time.now)
    service = {"name": "webhook", "namespace": "celvet"}
    api.configure("hooks", [{"name": "a.celvet", "clientConfig": {"service": service}}])

    async def main() -> None:
        async with AsyncExitStack() as stack:
            kubeconfig = await stack.enter_async_context(api.serving(tmp_path))
            clusters = [Cluster.connect(kubeconfig, time.clock) for _ in range(2)]
            replicas = [Replica(cluster) for cluster in clusters]
            for replica, cluster in zip(replicas, clusters, strict=True):
                stack.push_async_callback(cluster.close)
                await replica.keeper.start()
                await stack.enter_async_context(replica.serving())
            load = await _rotate_under_load(replicas, api, time)
            assert load.failures == []
            assert load.connections == len(replicas)
            assert len({replica.tls.certificate for replica in replicas}) == 1

    run(main(), limit=600)


async def _rotate_under_load(replicas: list[Replica], api: ApiServer, time: VirtualTime) -> Load:
    load, published = Load(replicas), Publications(api, time)
    published.note()
    clients = [load.steady(replica, published.current()) for replica in replicas]
    clients += [load.fresh(published.current) for _ in range(2)]
    clients += [load.fresh(published.stale) for _ in range(2)]
    tasks = [asyncio.create_task(client) for client in clients]
    await asyncio.sleep(0)  # each has entered its place
    await load.more_from_all(1)
    leaves: set[bytes] = set()
    authorities: set[bytes] = set()
    while min(len(leaves), len(authorities)) <= ROTATIONS:
        time.moment += STEP
        for replica in random.sample(replicas, len(replicas)):
            await replica.keeper.step()
            assert replica.keeper.problem is None
            published.note()
            await load.more_from_all(1)
        leaves.add(api.entry("tls.crt"))
        authorities.add(api.entry("ca.key"))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return load
