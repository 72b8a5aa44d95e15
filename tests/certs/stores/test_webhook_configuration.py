"""Publishing the `caBundle`, and keeping it published."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from celvet.certs.errors import StoreError
from celvet.certs.pki.bundle import Bundle
from celvet.certs.pki.material import encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import begin_rotation, renew
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from celvet.certs.stores.store import Publication
from celvet.certs.stores.webhook_configuration import WebhookConfiguration
from tests.certs.api_server import ApiServer, JsonObject
from tests.certs.virtual_time import START, VirtualTime

NAMES = Names.parse(["webhook.celvet.svc"])
BUNDLE = renew(Bundle(), START, RenewalPolicy(), NAMES).bundle


def hook(name: str, service: str = "webhook", **client: Any) -> JsonObject:
    config = client or {"service": {"name": service, "namespace": "celvet", "path": "/validate"}}
    return {"name": name, "clientConfig": config, "rules": [{"operations": ["CREATE"]}]}


class Cast:
    """The API server, a store in it, and replicas that publish from it."""

    def __init__(self, api: ApiServer, kubeconfig: Path, time: VirtualTime) -> None:
        self.api = api
        self.cluster = Cluster.connect(kubeconfig, time.clock)
        self.store = SecretStore(self.cluster, "ns", "name")
        self.publisher = WebhookConfiguration(self.cluster, "hooks", NAMES)

    async def publish(self) -> Publication:
        return await self.publisher.publish(self.store)

    async def put(self, bundle: Bundle) -> None:
        await self.store.write(encode(bundle), (await self.store.read()).version)


@asynccontextmanager
async def staged(tmp_path: Path, time: VirtualTime) -> AsyncIterator[Cast]:
    api = ApiServer(now=time.now)
    async with api.serving(tmp_path) as kubeconfig:
        cast = Cast(api, kubeconfig, time)
        await cast.put(BUNDLE)
        yield cast
        await cast.cluster.close()


async def test_only_our_webhooks_are_changed_and_only_their_bundle(
    tmp_path: Path, time: VirtualTime
) -> None:
    hooks = [
        hook("a.celvet"),
        hook("b.other", service="other"),
        hook("c.celvet", url="https://webhook.celvet.svc:8443/validate"),
        hook("d.other", url="https://elsewhere.example/"),
        hook("e.broken", url="https://[/"),
    ]
    async with staged(tmp_path, time) as cast:
        before = cast.api.configure("hooks", hooks)
        assert await cast.publish() == Publication(BUNDLE, repaired=True)
        after = cast.api.objects[
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/hooks"
        ]
        wanted = base64.b64encode(BUNDLE.ca_bundle).decode()
        for index in (0, 2):
            assert after["webhooks"][index]["clientConfig"].pop("caBundle") == wanted
        assert after["webhooks"] == before["webhooks"]
        assert after["metadata"]["labels"] == {"kept": "yes"}


async def test_what_is_published_is_not_patched(tmp_path: Path, time: VirtualTime) -> None:
    async with staged(tmp_path, time) as cast:
        cast.api.configure("hooks", [hook("a.celvet")])
        await cast.publish()
        del cast.api.requests[:]
        assert await cast.publish() == Publication(BUNDLE, repaired=False)
        assert {method for method, _ in cast.api.requests} == {"GET"}


@pytest.mark.parametrize("other", ["", "bm9uc2Vuc2U=", None])
async def test_what_somebody_overwrote_is_repaired(
    tmp_path: Path, time: VirtualTime, other: str | None
) -> None:
    async with staged(tmp_path, time) as cast:
        cast.api.configure("hooks", [hook("a.celvet")])
        await cast.publish()
        overwritten = hook("a.celvet")
        if other is not None:
            overwritten["clientConfig"]["caBundle"] = other
        cast.api.configure("hooks", [overwritten])
        assert (await cast.publish()).repaired
        assert cast.api.ca_bundle() == BUNDLE.ca_bundle


async def test_somebody_who_changes_it_meanwhile_keeps_the_change(
    tmp_path: Path, time: VirtualTime
) -> None:
    async with staged(tmp_path, time) as cast:
        cast.api.configure("hooks", [hook("a.celvet")])
        changes = [[hook("a.celvet"), hook("b.celvet")]]

        async def change(request: web.Request) -> None:
            if request.method == "PATCH" and changes:
                cast.api.configure("hooks", changes.pop())

        cast.api.before = change
        assert (await cast.publish()).repaired
        assert cast.api.ca_bundle(index=0) == BUNDLE.ca_bundle
        assert cast.api.ca_bundle(index=1) == BUNDLE.ca_bundle
        assert time.slept


async def test_a_slow_replica_never_takes_a_new_authority_back(
    tmp_path: Path, time: VirtualTime
) -> None:
    """It is delayed before its patch, while another publishes a bundle with one more authority."""
    async with staged(tmp_path, time) as cast:
        cast.api.configure("hooks", [hook("a.celvet")])
        reached, released = asyncio.Event(), asyncio.Event()

        async def hold_the_first_patch(request: web.Request) -> None:
            if request.method == "PATCH" and not reached.is_set():
                reached.set()
                await released.wait()

        cast.api.before = hold_the_first_patch
        slow = asyncio.create_task(cast.publish())
        await reached.wait()
        newer = begin_rotation(BUNDLE, START, RenewalPolicy()).bundle
        await cast.put(newer)
        await cast.publish()
        assert cast.api.ca_bundle() == newer.ca_bundle
        released.set()
        assert (await slow).bundle == newer
        assert cast.api.ca_bundle() == newer.ca_bundle


async def test_a_store_damaged_just_now_is_not_published(tmp_path: Path, time: VirtualTime) -> None:
    async with staged(tmp_path, time) as cast:
        cast.api.configure("hooks", [hook("a.celvet")])
        await cast.publish()
        for damage in (b"garbage", None):
            cast.api.set_entry("ca.crt", damage)
            with pytest.raises(StoreError, match="was damaged or deleted just now"):
                await cast.publish()
        assert cast.api.ca_bundle() == BUNDLE.ca_bundle


@pytest.mark.parametrize(
    ("hooks", "message"),
    [
        (None, "there is no ValidatingWebhookConfiguration `hooks`"),
        ([], "no webhook of ValidatingWebhookConfiguration `hooks` calls `webhook.celvet.svc`"),
        ([hook("a", service="other")], "calls `webhook.celvet.svc`"),
        ([{"name": "a"}], "calls `webhook.celvet.svc`"),
    ],
)
async def test_what_cannot_be_published_is_reported(
    tmp_path: Path, time: VirtualTime, hooks: list[JsonObject] | None, message: str
) -> None:
    async with staged(tmp_path, time) as cast:
        if hooks is not None:
            cast.api.configure("hooks", hooks)
        with pytest.raises(StoreError, match=message):
            await cast.publish()


async def test_endless_conflicts_end(tmp_path: Path, time: VirtualTime) -> None:
    async with staged(tmp_path, time) as cast:
        cast.api.configure("hooks", [hook("a.celvet")])

        async def always_change(request: web.Request) -> None:
            if request.method == "PATCH":
                cast.api.configure("hooks", [hook("a.celvet")])

        cast.api.before = always_change
        with pytest.raises(StoreError, match="other processes keep changing"):
            await cast.publish()
