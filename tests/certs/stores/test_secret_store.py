"""The Secret and its API server: conflicts, faults and manual changes."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from celvet.certs.clock import Clock
from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.pki.bundle import Bundle, Renewal
from celvet.certs.pki.material import encode
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.renewal import renew
from celvet.certs.serving.tls import LiveTLS
from celvet.certs.stores.cluster import Cluster
from celvet.certs.stores.secret_store import SecretStore
from celvet.certs.stores.store import read_bundle, update
from tests.certs.api_server import ApiServer, Fault
from tests.certs.virtual_time import START, VirtualTime

NAMES = Names.parse(["webhook.celvet.svc"])
OTHER = encode(renew(Bundle(), START, RenewalPolicy(), NAMES).bundle)


def fresh(bundle: Bundle) -> Renewal:
    return renew(bundle, START, RenewalPolicy(), NAMES)


def _context(context: str, cluster: str = "{}", user: str = "{}") -> str:
    return (
        f"clusters: [{{name: a, cluster: {cluster}}}]\n"
        f"contexts: [{{name: a, context: {context}}}]\n"
        f"users: [{{name: a, user: {user}}}]\n"
        "current-context: a\n"
    )


@asynccontextmanager
async def replica(kubeconfig: Path, clock: Clock | None = None) -> AsyncIterator[SecretStore]:
    """One process: its own connection and store."""
    cluster = Cluster.connect(kubeconfig, clock)
    try:
        yield SecretStore(cluster, "ns", "name")
    finally:
        await cluster.close()


class Meeting:
    """Holds the first request of each of `parties` until all are there."""

    def __init__(self, parties: int, method: str) -> None:
        self._barrier = asyncio.Barrier(parties)
        self._left = parties
        self._method = method

    async def __call__(self, request: web.Request) -> None:
        if request.method == self._method and self._left > 0:
            self._left -= 1
            await self._barrier.wait()


async def test_written_is_read_and_an_entry_that_is_gone_is_gone(tmp_path: Path) -> None:
    async with ApiServer().serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        await store.write({**OTHER, "next-ca.key": b"x"}, None)
        await store.write(OTHER, (await store.read()).version)
        assert (await store.read()).material == OTHER


async def test_who_has_not_read_the_last_version_may_not_write(tmp_path: Path) -> None:
    async with ApiServer().serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        await store.write(OTHER, None)
        version = (await store.read()).version
        await store.write({**OTHER, "next-ca.key": b"x"}, version)
        for stale in (version, None):
            with pytest.raises(ConflictError):
                await store.write(OTHER, stale)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_replicas_that_start_at_the_same_instant_agree(
    tmp_path: Path, time: VirtualTime, method: str
) -> None:
    """All see that there is no Secret and try to create it: one succeeds, the others use it."""
    api = ApiServer()
    api.before = Meeting(3, method)
    async with api.serving(tmp_path) as kubeconfig:

        async def start() -> Renewal:
            async with replica(kubeconfig) as store:
                return await update(store, fresh, time.clock)

        first, second, third = await asyncio.gather(start(), start(), start())
        assert first.bundle == second.bundle == third.bundle
        async with replica(kubeconfig) as store:
            assert await read_bundle(store) == (first.bundle, ())
    creations = [method for method, _ in api.requests if method == "POST"]
    assert len(creations) == 3


async def test_the_secret_is_of_the_usual_type(tmp_path: Path, time: VirtualTime) -> None:
    api = ApiServer()
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        await update(store, fresh, time.clock)
    secret = api.secret()
    assert secret
    assert secret["type"] == "kubernetes.io/tls"
    assert secret["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "celvet"}


async def test_a_secret_made_beforehand_keeps_what_is_not_ours(
    tmp_path: Path, time: VirtualTime
) -> None:
    """As a chart makes it, so that no right to create Secrets is needed."""
    api = ApiServer()
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        metadata = {"name": "name", "resourceVersion": "7", "labels": {"kept": "yes"}}
        api.objects["/api/v1/namespaces/ns/secrets/name"] = {
            "metadata": metadata,
            "type": "Opaque",
            "data": {"other": "eA=="},
        }
        bundle = (await update(store, fresh, time.clock)).bundle
        assert await read_bundle(store) == (bundle, ())
    secret = api.secret()
    assert secret
    assert secret["metadata"]["labels"] == {"kept": "yes"}
    assert secret["data"]["other"] == "eA=="
    assert all(method != "POST" for method, _ in api.requests)


async def test_a_secret_deleted_between_reading_and_writing(
    tmp_path: Path, time: VirtualTime
) -> None:
    api = ApiServer()
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        await update(store, fresh, time.clock)
        api.set_entry("tls.key", None)

        async def delete(request: web.Request) -> None:
            if request.method == "PATCH":
                api.objects.clear()

        api.before = delete
        bundle = (await update(store, fresh, time.clock)).bundle
        assert await read_bundle(store) == (bundle, ())


async def test_a_secret_overwritten_by_hand_between_reading_and_writing(
    tmp_path: Path, time: VirtualTime
) -> None:
    api = ApiServer()
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        await update(store, fresh, time.clock)
        api.set_entry("ca.key", b"garbage")
        pending = [OTHER]

        async def overwrite(request: web.Request) -> None:
            if request.method == "PATCH" and pending:
                for name, text in pending.pop().items():
                    api.set_entry(name, text)

        api.before = overwrite
        assert encode((await update(store, fresh, time.clock)).bundle) == OTHER


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault.INTERNAL, "cannot get Secret `ns/name`: 500 with a Status"),
        (Fault.GARBAGE, "cannot get Secret `ns/name`: the API server answered 500"),
        (Fault.NO_OBJECT, "cannot get Secret `ns/name`: the answer is unusable"),
        (Fault.FORBIDDEN, "cannot get Secret `ns/name`: 403 of RBAC"),
        (Fault.LOST_REQUEST, "cannot get Secret `ns/name`: the API server does not answer"),
    ],
)
async def test_a_fault_is_reported_in_one_line(
    tmp_path: Path, time: VirtualTime, fault: Fault, message: str
) -> None:
    api = ApiServer()
    api.fault = lambda _request: fault
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        with pytest.raises(StoreError) as caught:
            await update(store, fresh, time.clock)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


async def test_a_server_that_hangs_is_reported(
    tmp_path: Path, time: VirtualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celvet.certs.stores.cluster._TIMEOUT", 0.05)
    api = ApiServer()
    released = asyncio.Event()

    async def hang(_request: web.Request) -> None:
        await released.wait()

    api.before = hang
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        with pytest.raises(StoreError, match="the API server does not answer"):
            await update(store, fresh, time.clock)
        released.set()


async def test_a_write_whose_answer_was_lost_is_found_again(
    tmp_path: Path, time: VirtualTime
) -> None:
    """The next attempt reads what the first one did write, and agrees with it."""
    api = ApiServer()
    async with api.serving(tmp_path) as kubeconfig, replica(kubeconfig) as store:
        api.fault = lambda request: Fault.LOST_ANSWER if request.method == "POST" else None
        with pytest.raises(StoreError):
            await update(store, fresh, time.clock)
        written = (await read_bundle(store))[0]
        assert written.serving
        assert (await update(store, fresh, time.clock)).bundle == written


async def test_replicas_agree_under_random_faults(tmp_path: Path, time: VirtualTime) -> None:
    chance = random.Random(7)
    api = ApiServer()
    api.fault = lambda _request: chance.choice([*Fault, *[None] * 10])
    async with api.serving(tmp_path) as kubeconfig:

        async def persist() -> Bundle:
            async with replica(kubeconfig) as store:
                for _ in range(200):
                    try:
                        return (await update(store, fresh, time.clock)).bundle
                    except StoreError:
                        continue
                pytest.fail("no success in 200 tries")

        bundles = await asyncio.gather(*(persist() for _ in range(5)))
        assert len(set(bundles)) == 1


class TestConnect:
    @pytest.mark.parametrize("known", [True, False])
    async def test_the_api_server_is_verified(self, tmp_path: Path, known: bool) -> None:
        bundle = renew(
            Bundle(), Clock().now(), RenewalPolicy(), Names.parse([], ["127.0.0.1"])
        ).bundle
        assert bundle.serving
        tls = LiveTLS()
        tls.load(bundle.serving.certificate_pem, bundle.serving.key)
        authorities = bundle.ca_bundle if known else OTHER["ca.crt"]
        serving = ApiServer().serving(tmp_path, tls.context, authorities)
        async with serving as kubeconfig, replica(kubeconfig) as store:
            if known:
                assert (await store.read()).version is None
            else:
                with pytest.raises(StoreError, match="CERTIFICATE_VERIFY_FAILED"):
                    await store.read()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "it is not a mapping"),
            ("{", "while parsing a flow node expected the node content"),
            ("[" * 5000, "maximum recursion depth exceeded"),
            ("clusters: 1", "'int' object is not iterable"),
            ("clusters: [{}]", "there is no `name`"),
            ("clusters: []", "No current context set"),
            ("current-context: x", "Context 'x' not found"),
            (_context("{cluster: b}"), "there is no `b`"),
            (
                _context("{cluster: a}", "{certificate-authority: /none}"),
                "a certificate or key cannot be loaded: No such file or directory",
            ),
            (
                _context("{cluster: a}", "{certificate-authority-data: '!'}"),
                "a certificate or key cannot be loaded",
            ),
        ],
    )
    def test_an_unusable_kubeconfig(self, tmp_path: Path, text: str, message: str) -> None:
        path = tmp_path / "kubeconfig"
        path.write_text(text)
        with pytest.raises(StoreError) as raised:
            Cluster.connect(path)
        assert str(raised.value).startswith(
            f"cannot connect to Kubernetes: kubeconfig `{path}` cannot be used: {message}"
        )

    def test_a_kubeconfig_that_is_not_a_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        for name, why in (
            ("pipe", "`pipe` is not a regular file"),
            (".", "Is a directory"),
            ("none", "No such file or directory"),
        ):
            with pytest.raises(StoreError) as raised:
                Cluster.connect(tmp_path / name)
            assert str(raised.value).endswith(f"cannot be used: {why}")

    def test_users_may_be_null(self, tmp_path: Path) -> None:
        """As `kubectl config view` prints them if there are none."""
        path = tmp_path / "kubeconfig"
        path.write_text(_context("{cluster: a}").replace("users: [{name: a, user: {}}]", "users:"))
        assert Cluster.connect(path)

    def test_no_configuration_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        with pytest.raises(StoreError) as raised:
            Cluster.connect()
        assert str(raised.value) == (
            f"cannot connect to Kubernetes: kubeconfig `{tmp_path}/.kube/config` cannot be used:"
            " No such file or directory"
        )
