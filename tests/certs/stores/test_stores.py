"""Changing a stored bundle by compare-and-swap, in any store."""

from __future__ import annotations

import pytest

from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.pki.bundle import Bundle, Renewal
from celvet.certs.pki.material import decode, encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import renew
from celvet.certs.stores.store import update
from tests.certs.memory_store import MemoryStore
from tests.certs.virtual_time import START, VirtualTime

NAMES = Names.parse(["webhook.celvet.svc"])
TEXTS = encode(renew(Bundle(), START, RenewalPolicy(), NAMES).bundle)


def fresh(bundle: Bundle) -> Renewal:
    return renew(bundle, START, RenewalPolicy(), NAMES)


async def test_what_does_not_change_is_not_written(time: VirtualTime) -> None:
    store = MemoryStore()
    await update(store, fresh, time.clock)
    version = (await store.read()).version
    assert (await update(store, fresh, time.clock)).reasons == ()
    assert (await store.read()).version == version


async def test_damage_is_reported_and_repaired(time: VirtualTime) -> None:
    store = MemoryStore({**TEXTS, "tls.key": b"garbage"})
    reasons = (await update(store, fresh, time.clock)).reasons
    assert len(reasons) == 2
    assert "`tls.crt` or `tls.key` is damaged" in reasons[0]
    assert decode(store.texts)[1] == ()


async def test_certificates_of_others_are_left_alone(time: VirtualTime) -> None:
    theirs = {entry: TEXTS[entry] for entry in ("tls.crt", "tls.key", "ca.crt")}
    store = MemoryStore(theirs)
    with pytest.raises(StoreError, match="holds certificates that celvet did not make"):
        await update(store, fresh, time.clock)
    assert store.texts == theirs


async def test_endless_conflicts_end(time: VirtualTime) -> None:
    class ContendedStore(MemoryStore):
        async def write(self, _texts: object, _version: str | None) -> None:
            raise ConflictError("again")

    with pytest.raises(StoreError, match="other processes keep changing the store"):
        await update(ContendedStore(), fresh, time.clock)
    assert time.slept[:3] == pytest.approx([0.0375, 0.075, 0.15])
    assert max(time.slept) <= 2.0
