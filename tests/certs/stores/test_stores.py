"""The contract of stores, shown on a Secret."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.pki.bundle import Bundle, Renewal
from celvet.certs.pki.material import decode, encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import renew
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from celvet.certs.stores.store import Snapshot, Store, read_bundle, update
from tests.certs.api_server import ApiServer
from tests.certs.virtual_time import START, VirtualTime, run

NAMES = Names.parse(["webhook.celvet.svc"])
ONE, TWO = (encode(renew(Bundle(), START, RenewalPolicy(), NAMES).bundle) for _ in range(2))

Opened: TypeAlias = Callable[[], AbstractAsyncContextManager[Store]]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    @asynccontextmanager
    async def secret() -> AsyncIterator[Store]:
        async with ApiServer().serving(tmp_path) as kubeconfig:
            cluster = Cluster.connect(kubeconfig)
            yield SecretStore(cluster, "ns", "name")
            await cluster.close()

    return secret


def fresh(bundle: Bundle) -> Renewal:
    return renew(bundle, START, RenewalPolicy(), NAMES)


def test_an_empty_store(opened: Opened) -> None:
    async def main() -> Snapshot:
        async with opened() as store:
            return await store.read()

    assert run(main()) == Snapshot({}, None)


async def test_written_is_read(opened: Opened) -> None:
    async with opened() as store:
        await store.write(ONE, None)
        first = await store.read()
        assert first.material == ONE
        assert first.version is not None
        await store.write(TWO, first.version)
        assert (await store.read()).material == TWO


async def test_an_entry_that_is_gone_is_gone(opened: Opened) -> None:
    async with opened() as store:
        await store.write({**ONE, "next-ca.key": b"x"}, None)
        await store.write(ONE, (await store.read()).version)
        assert (await store.read()).material == ONE


async def test_who_has_not_read_the_last_version_may_not_write(opened: Opened) -> None:
    async with opened() as store:
        await store.write(ONE, None)
        version = (await store.read()).version
        await store.write(TWO, version)
        for stale in (version, None):
            with pytest.raises(ConflictError):
                await store.write(ONE, stale)
        assert (await store.read()).material == TWO


async def test_many_who_start_at_once_agree(opened: Opened, time: VirtualTime) -> None:
    async with opened() as store:
        results = await asyncio.gather(*(update(store, fresh, time.clock) for _ in range(8)))
        stored, problems = await read_bundle(store)
        assert problems == ()
        assert {result.bundle for result in results} == {stored}
        assert sum(bool(result.reasons) for result in results) == 1


async def test_what_does_not_change_is_not_written(opened: Opened, time: VirtualTime) -> None:
    async with opened() as store:
        await update(store, fresh, time.clock)
        version = (await store.read()).version
        assert (await update(store, fresh, time.clock)).reasons == ()
        assert (await store.read()).version == version


async def test_damage_is_reported_and_repaired(opened: Opened, time: VirtualTime) -> None:
    async with opened() as store:
        await store.write({**ONE, "tls.key": b"garbage"}, None)
        reasons = (await update(store, fresh, time.clock)).reasons
        assert len(reasons) == 2
        assert "`tls.crt` or `tls.key` is damaged" in reasons[0]
        assert decode((await store.read()).material)[1] == ()


async def test_certificates_of_others_are_left_alone(opened: Opened, time: VirtualTime) -> None:
    async with opened() as store:
        theirs = {entry: ONE[entry] for entry in ("tls.crt", "tls.key", "ca.crt")}
        await store.write(theirs, None)
        with pytest.raises(StoreError, match="holds certificates that celvet did not make"):
            await update(store, fresh, time.clock)
        assert (await store.read()).material == theirs


def test_endless_conflicts_end(time: VirtualTime) -> None:
    class Contended:
        place = "the store"

        async def read(self) -> Snapshot:
            return Snapshot({}, None)

        async def write(self, _texts: object, _version: str | None) -> None:
            raise ConflictError("again")

    with pytest.raises(StoreError, match="other processes keep changing the store"):
        run(update(Contended(), fresh, time.clock))
    assert time.slept[:3] == pytest.approx([0.0375, 0.075, 0.15])
    assert max(time.slept) <= 2.0
