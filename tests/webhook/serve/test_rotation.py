"""The authority and the leaf rotate ten times under load; two replicas, one Secret, one caBundle.

Real sockets, virtual dates: certificates are backdated by more than the test's span, so
that clients, who check dates by the real clock, can check all of them.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding

from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy as Dates
from celvet.certs.rotation.issuer import Issuer
from celvet.certs.serving.keeper import Keeper
from celvet.certs.serving.tls import LiveTLS
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from celvet.certs.stores.webhook_configuration import WebhookConfiguration
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.decide.review import Review
from celvet.webhook.http.connections import Connections, Limits
from celvet.webhook.http.handler import Webhook
from celvet.webhook.judgement import Judgement
from celvet.webhook.metrics import Metrics
from tests.certs.api_server import ApiServer
from tests.certs.virtual_time import VirtualTime
from tests.webhook.load import Load

NAMES = Names.parse(["localhost", "webhook.ns.svc"])
DATES = Dates(propagation=timedelta(minutes=16), backdate=timedelta(days=30))
SERVICE = {"service": {"name": "webhook", "namespace": "ns"}}


class Lenient:
    """A judge that finds nothing."""

    async def judge(self, body: bytes, review: Review, off: frozenset[str]) -> Judgement:
        return Judgement()


class Replica:
    def __init__(self, kubeconfig: Path, time: VirtualTime) -> None:
        self.tls = LiveTLS()
        self.cluster = Cluster.connect(kubeconfig, time.clock)
        self.issuer = Issuer(
            SecretStore(self.cluster, "ns", "name"),
            NAMES,
            DATES,
            publisher=WebhookConfiguration(self.cluster, "hooks", NAMES),
            clock=self.cluster.clock,
        )
        self.keeper = Keeper(self.issuer, self.tls, clock=self.cluster.clock)
        webhook = Webhook(Lenient(), AdmissionPolicy, Metrics(), dict, Limits())
        self.connections = Connections(webhook.handle, Limits(), self.tls.context)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[int]:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(self.connections, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            await self.connections.drain(1, 0)
            await self.cluster.close()


class Clients:
    """Loads on both replicas: by the caBundle of now, and by that of a propagation ago."""

    def __init__(self, api: ApiServer, ports: tuple[int, int]) -> None:
        self.stale = api.ca_bundle()
        one, other = ports
        self.loads = (Load(one, api.ca_bundle), Load(other, lambda: self.stale))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        stack = ExitStack()
        for load in self.loads:
            stack.enter_context(load.running(steady=1, fresh=1))
        try:
            yield
        finally:
            await asyncio.to_thread(stack.close)  # they wait for answers from this event loop

    async def more(self) -> None:
        for load in self.loads:
            await asyncio.to_thread(load.more, 2)


def test_ten_rotations_of_authority_and_leaf(tmp_path: Path) -> None:
    time = VirtualTime(datetime.now(UTC).replace(microsecond=0))
    api = ApiServer(now=time.now)
    api.configure("hooks", [{"name": "a.celvet", "clientConfig": SERVICE}])

    async def main() -> None:
        async with api.serving(tmp_path) as kubeconfig:
            replicas = [Replica(kubeconfig, time) for _ in range(2)]
            await asyncio.gather(*(each.keeper.start() for each in replicas))
            assert served(replicas) == {api.entry("tls.crt")}
            async with replicas[0].serving() as one, replicas[1].serving() as other:
                clients = Clients(api, (one, other))
                async with clients.running():
                    for _ in range(10):
                        await rotate(api, replicas, clients, time)
            for load in clients.loads:
                assert load.failures == []
                assert load.connections == 1

    asyncio.run(asyncio.wait_for(main(), 600))


async def rotate(
    api: ApiServer, replicas: list[Replica], clients: Clients, time: VirtualTime
) -> None:
    """One rotation: announced, then, a propagation period later, in force."""
    before = api.entry("tls.crt"), api.entry("ca.key"), api.ca_bundle()
    await replicas[0].issuer.rotate(authority=True)
    await look(replicas)
    assert authorities(before[2]) < authorities(api.ca_bundle())
    assert served(replicas) == {before[0]}
    await clients.more()
    clients.stale = api.ca_bundle()
    await clients.more()
    time.moment += timedelta(minutes=17)
    for replica in random.sample(replicas, 2):
        await look([replica])
        await clients.more()
    assert served(replicas) == {api.entry("tls.crt")}
    assert api.entry("tls.crt") != before[0]
    assert api.entry("ca.key") != before[1]


def authorities(bundle: bytes) -> set[bytes]:
    return set(bundle.split(b"-----END CERTIFICATE-----\n")) - {b""}


async def look(replicas: list[Replica]) -> None:
    for replica in replicas:
        await replica.keeper.step()
        assert replica.keeper.problem is None


def served(replicas: list[Replica]) -> set[bytes]:
    certificates = [replica.tls.certificate for replica in replicas]
    return {each.public_bytes(Encoding.PEM) for each in certificates if each}
