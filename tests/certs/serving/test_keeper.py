"""The loop of a running server: start, repair, renewal, failures; time is virtual."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from celvet.certs.errors import StoreError
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.issuer import Issuer
from celvet.certs.rotation.renewal import begin_rotation, renew
from celvet.certs.serving.keeper import Keeper, NothingToServeError
from celvet.certs.serving.tls import LiveTLS
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from celvet.certs.stores.store import Publication, Store, read_bundle
from celvet.certs.stores.webhook_configuration import WebhookConfiguration
from tests.certs.acceptance import verifies
from tests.certs.api_server import ApiServer, Fault, JsonObject
from tests.certs.memory_store import MemoryStore
from tests.certs.virtual_time import START, VirtualTime, run

NAME = "webhook.celvet.svc"
NAMES = Names.parse([NAME])
POLICY = RenewalPolicy()
HOOK: JsonObject = {
    "name": "a.celvet",
    "clientConfig": {"service": {"name": "webhook", "namespace": "celvet"}},
}


class Replica:
    """A server's certificate side, as `celvet serve` puts it together."""

    def __init__(self, cluster: Cluster, names: Names = NAMES) -> None:
        self.tls = LiveTLS()
        self.store = SecretStore(cluster, "ns", "name")
        publisher = WebhookConfiguration(cluster, "hooks", names)
        issuer = Issuer(self.store, names, POLICY, publisher=publisher, clock=cluster.clock)
        self.keeper = Keeper(issuer, self.tls, clock=cluster.clock)


@asynccontextmanager
async def replicas(
    api: ApiServer, directory: Path, time: VirtualTime
) -> AsyncIterator[Callable[[], Replica]]:
    clusters = []
    async with api.serving(directory) as kubeconfig:

        def make() -> Replica:
            clusters.append(Cluster.connect(kubeconfig, time.clock))
            return Replica(clusters[-1])

        yield make
        for cluster in clusters:
            await cluster.close()


@asynccontextmanager
async def started(api: ApiServer, directory: Path, time: VirtualTime) -> AsyncIterator[Replica]:
    """One serving replica."""
    async with replicas(api, directory, time) as make:
        replica = make()
        await replica.keeper.start()
        yield replica


@pytest.fixture
def api(time: VirtualTime) -> ApiServer:
    api = ApiServer(now=time.now)
    api.configure("hooks", [HOOK])
    return api


class TestStart:
    async def test_from_nothing(self, api: ApiServer, tmp_path: Path, time: VirtualTime) -> None:
        async with replicas(api, tmp_path, time) as make:
            replica = make()
            assert not replica.keeper.ready
            assert replica.keeper.not_after is None
            await replica.keeper.start()
            assert replica.keeper.ready
            assert replica.keeper.problem is None
            assert replica.keeper.not_after == START + POLICY.leaf_validity
            assert api.ca_bundle() == api.entry("ca.crt")

    async def test_with_a_corrupt_secret(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        async with replicas(api, tmp_path, time) as make:
            await make().keeper.start()
            for entry in ("tls.crt", "tls.key", "ca.crt", "ca.key"):
                api.set_entry(entry, b"garbage")
            replica = make()
            await replica.keeper.start()
            assert replica.keeper.ready
            assert api.ca_bundle() == api.entry("ca.crt")
        assert "`ca.crt` is damaged: there is no PEM certificate in it" in caplog.text
        assert "PRIVATE" not in caplog.text

    async def test_while_the_api_server_is_down_for_a_while(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        faults = iter([Fault.INTERNAL, Fault.LOST_REQUEST, Fault.GARBAGE])
        api.fault = lambda _request: next(faults, None)
        async with started(api, tmp_path, time) as replica:
            assert replica.keeper.ready
            assert time.slept == pytest.approx([0.75, 1.5, 3.0])

    async def test_it_gives_up_with_the_reason(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        api.fault = lambda _request: Fault.FORBIDDEN
        async with replicas(api, tmp_path, time) as make:
            with pytest.raises(NothingToServeError) as caught:
                await make().keeper.start(patience=30)
            reason = "no certificate to serve: cannot get Secret `ns/name`: 403 of RBAC"
            assert str(caught.value) == reason
            assert 15 < sum(time.slept) <= 30

    async def test_a_secret_of_others_is_fatal_and_left_alone(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        async with replicas(api, tmp_path, time) as make:
            await make().keeper.start()
            for entry in ("ca.key", "state.json"):
                api.set_entry(entry, None)
            before = api.secret()
            with pytest.raises(NothingToServeError, match="that celvet did not make"):
                await make().keeper.start()
            assert api.secret() == before

    async def test_without_the_right_to_publish_it_serves_anyway(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        api.fault = lambda request: Fault.FORBIDDEN if "hooks" in request.path else None
        async with started(api, tmp_path, time) as replica:
            assert replica.keeper.ready
            assert "ValidatingWebhookConfiguration `hooks`" in (replica.keeper.problem or "")


class TestSteps:
    async def test_a_replica_takes_over_what_another_renewed(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        async with replicas(api, tmp_path, time) as make:
            one, two = make(), make()
            await one.keeper.start()
            await two.keeper.start()
            time.pass_(days=61)
            await one.keeper.step()
            assert one.tls.certificate != two.tls.certificate
            await two.keeper.step()
            assert one.tls.certificate == two.tls.certificate

    async def test_the_authority_waits_until_it_is_published(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        """No patch and no announcement, however long the Secret has contained it."""
        async with started(api, tmp_path, time) as replica:
            first = api.entry("ca.key")
            time.pass_(days=2440)
            api.fault = lambda request: Fault.INTERNAL if request.method == "PATCH" else None
            await replica.keeper.step()
            api.fault = lambda request: Fault.INTERNAL if "hooks" in request.path else None
            for _ in range(5):
                await replica.keeper.step()
                time.pass_(hours=2)
            assert api.entry("next-ca.key")
            assert api.entry("ca.key") == first
            api.fault = lambda _request: None
            await replica.keeper.step()
            assert api.entry("ca.key") == first
            time.pass_(hours=1)
            await replica.keeper.step()
            assert api.entry("ca.key") != first

    async def test_an_overwritten_ca_bundle_is_repaired_and_the_wait_begins_again(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        async with started(api, tmp_path, time) as replica:
            first = api.entry("ca.key")
            time.pass_(days=2440)
            await replica.keeper.step()
            time.pass_(minutes=40)
            api.configure("hooks", [HOOK])
            await replica.keeper.step()
            assert api.ca_bundle() == api.entry("ca.crt")
            time.pass_(minutes=40)
            await replica.keeper.step()
            assert api.entry("ca.key") == first
            time.pass_(minutes=20)
            await replica.keeper.step()
            assert api.entry("ca.key") != first

    async def test_what_was_loaded_is_served_through_any_failure(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        async with started(api, tmp_path, time) as replica:
            served = replica.tls.certificate
            for fault in Fault:
                api.fault = always(fault)
                await replica.keeper.step()
                assert replica.keeper.problem
                assert replica.keeper.ready
                assert replica.tls.certificate == served
            api.fault = lambda _request: None
            await replica.keeper.step()
            assert replica.keeper.problem is None

    async def test_it_is_not_ready_once_the_certificate_expired(
        self, api: ApiServer, tmp_path: Path, time: VirtualTime
    ) -> None:
        async with started(api, tmp_path, time) as replica:
            api.fault = lambda _request: Fault.LOST_REQUEST
            time.pass_(days=91)
            await replica.keeper.step()
            assert not replica.keeper.ready

    def test_a_defect_of_ours_stops_nothing(
        self, time: VirtualTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Broken:
            async def fetch(self) -> tuple[bytes, bytes]:
                raise RuntimeError("a defect")

            async def publish(self) -> None: ...

        keeper = Keeper(Broken(), LiveTLS(), clock=time.clock)
        run(keeper.step())
        assert keeper.problem == "internal error: RuntimeError: a defect"
        assert "renewing the certificates failed" in caplog.text


class Recorded:
    """A source that counts, fails on request, and stops the loop after some checks."""

    def __init__(self, time: VirtualTime, looks: int, failing: range = range(0)) -> None:
        bundle = renew(Bundle(), time.now(), POLICY, NAMES).bundle
        assert bundle.serving
        self._pair = (bundle.serving.certificate_pem, bundle.serving.key)
        self._time = time
        self._left = looks
        self._failing = failing
        self.looks = 0

    async def fetch(self) -> tuple[bytes, bytes]:
        self.looks += 1
        if self.looks == self._left:
            raise asyncio.CancelledError
        if self.looks in self._failing:
            raise StoreError("not now")
        return self._pair

    async def publish(self) -> None: ...


class TestRun:
    def test_it_looks_every_interval_give_or_take_a_tenth(self, time: VirtualTime) -> None:
        keeper = Keeper(Recorded(time, looks=4), LiveTLS(), interval=60, clock=time.clock)
        with pytest.raises(asyncio.CancelledError):
            run(keeper.run())
        assert time.slept == pytest.approx([60, 60, 60, 60])

    def test_after_a_failure_sooner_then_ever_later(self, time: VirtualTime) -> None:
        source = Recorded(time, looks=12, failing=range(2, 10))
        keeper = Keeper(source, LiveTLS(), interval=60, clock=time.clock)
        with pytest.raises(asyncio.CancelledError):
            run(keeper.run())
        seconds = [60, 60, 0.75, 1.5, 3, 6, 12, 24, 45, 45, 60, 60]
        assert time.slept == pytest.approx(seconds)

    def test_the_same_failure_is_logged_once(
        self, time: VirtualTime, caplog: pytest.LogCaptureFixture
    ) -> None:
        source = Recorded(time, looks=9, failing=range(1, 8))
        keeper = Keeper(source, LiveTLS(), clock=time.clock)
        with pytest.raises(asyncio.CancelledError):
            run(keeper.run())
        assert [record.getMessage() for record in caplog.records] == ["not now"]


class TestIssuer:
    async def test_without_a_publisher_the_store_is_the_publication(
        self, time: VirtualTime
    ) -> None:
        """The next authority is announced as soon as it is written, and signs an hour later."""
        store = MemoryStore()
        issuer = Issuer(store, NAMES, POLICY, clock=time.clock)
        keeper = Keeper(issuer, LiveTLS(), clock=time.clock)
        await keeper.start()
        await issuer.rotate(authority=True)
        await keeper.step()
        former = store.texts["ca.key"]
        time.pass_(hours=1)
        await keeper.step()
        assert store.texts["ca.key"] != former

    async def test_what_was_published_is_announced_and_nothing_else(
        self, time: VirtualTime
    ) -> None:
        """Another next authority may have been stored since."""

        class Earlier:
            async def publish(self, _store: Store) -> Publication:
                other = begin_rotation(renew(Bundle(), START, POLICY, NAMES).bundle, START, POLICY)
                return Publication(other.bundle, repaired=True)

        store = MemoryStore()
        issuer = Issuer(store, NAMES, POLICY, publisher=Earlier(), clock=time.clock)
        await issuer.rotate(authority=True)
        await issuer.publish()
        bundle, _ = await read_bundle(store)
        assert bundle.incoming
        assert bundle.incoming.announced is None

    async def test_a_rotation_asked_for_replaces_the_leaf(self, time: VirtualTime) -> None:
        issuer = Issuer(MemoryStore(), NAMES, POLICY, clock=time.clock)
        first = (await issuer.renew()).bundle
        second = (await issuer.rotate(authority=False)).bundle
        assert first.serving != second.serving
        assert first.signer == second.signer
        assert second.serving
        assert verifies(second.serving.certificate, first.trusted, NAME, time.now())


def always(fault: Fault) -> Callable[[object], Fault]:
    return lambda _request: fault
