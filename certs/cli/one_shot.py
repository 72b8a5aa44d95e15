"""The actions of `celvet certs`: one action on one store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from celvet.certs.cli.inspection import BundleInspection, inspect
from celvet.certs.clock import Clock
from celvet.certs.errors import StoreError, UnusableError
from celvet.certs.pki import pem
from celvet.certs.pki.authority import is_authority
from celvet.certs.pki.bundle import Renewal
from celvet.certs.pki.material import AUTHORITIES, CERTIFICATE, ENTRIES, KEY, Material
from celvet.certs.pki.names import Names
from celvet.certs.pki.policy import RenewalPolicy
from celvet.certs.rotation.issuer import Issuer
from celvet.certs.small_file import read_small
from celvet.certs.stores.atomic_directory import read_files
from celvet.certs.stores.file_store import FileStore
from celvet.certs.stores.store import Store, read_bundle
from celvet.record import record

if TYPE_CHECKING:
    from celvet.certs.stores.cluster import Cluster
    from celvet.certs.stores.publication import Publisher


@record
class StoreLocation:
    """Where the certificates are: a directory, or a Secret, as namespace and name."""

    directory: Path | None = None
    secret: tuple[str, str] | None = None
    kubeconfig: Path | None = None
    webhook_configuration: str | None = None


@record
class CommandResult:
    """The changes, and the stored content after them."""

    changes: tuple[str, ...]
    inspection: BundleInspection


def create(target: StoreLocation, names: Names, policy: RenewalPolicy) -> CommandResult:
    """Create, repair and renew what is due; raises `StoreError`, `UnusableError`."""
    return asyncio.run(_create(target, names, policy))


def rotate(target: StoreLocation, policy: RenewalPolicy, *, authority: bool) -> CommandResult:
    """Replace the serving certificate now, or start to replace the authority."""
    return asyncio.run(_rotate(target, policy, authority=authority))


def show(target: StoreLocation, fewest_days: int) -> BundleInspection:
    """Inspect the certificates; here the directory may be a single PEM file."""
    if target.directory is None:
        return asyncio.run(_show_secret(target, fewest_days))
    return inspect(_read_path(target.directory), Clock().now(), fewest_days)


async def _create(target: StoreLocation, names: Names, policy: RenewalPolicy) -> CommandResult:
    async with _opened(target) as (store, cluster):
        issuer, publishes = _issuer(target, store, cluster, names, policy)
        renewal = await issuer.renew()
        if publishes:
            await issuer.publish()
        return await _outcome(renewal, store, _clock(cluster))


async def _rotate(
    target: StoreLocation, policy: RenewalPolicy, *, authority: bool
) -> CommandResult:
    async with _opened(target) as (store, cluster):
        bundle, _ = await read_bundle(store)
        if bundle.serving is None:
            raise StoreError(f"{store.place} has no serving certificate to replace")
        names = Names.of_certificate(bundle.serving.certificate)
        issuer, publishes = _issuer(target, store, cluster, names, policy)
        renewal = await issuer.rotate(authority=authority)
        if publishes:
            await issuer.publish()
        return await _outcome(renewal, store, _clock(cluster))


async def _show_secret(target: StoreLocation, fewest_days: int) -> BundleInspection:
    async with _opened(target) as (store, cluster):
        snapshot = await store.read()
        if snapshot.version is None:
            raise StoreError(f"there is no {store.place}")
        return inspect(snapshot.material, _clock(cluster).now(), fewest_days)


@asynccontextmanager
async def _opened(target: StoreLocation) -> AsyncIterator[tuple[Store, Cluster | None]]:
    if target.secret is None:
        yield FileStore(target.directory or Path()), None
        return
    # Loads the Kubernetes client, which a directory does not need.
    from celvet.certs.stores.cluster import Cluster
    from celvet.certs.stores.secret_store import SecretStore

    cluster = Cluster.connect(target.kubeconfig)
    try:
        yield SecretStore(cluster, *target.secret), cluster
    finally:
        await cluster.close()


def _issuer(
    target: StoreLocation,
    store: Store,
    cluster: Cluster | None,
    names: Names,
    policy: RenewalPolicy,
) -> tuple[Issuer, bool]:
    """An issuer, and whether it can publish: only a webhook configuration reaches API servers."""
    publisher: Publisher | None = None
    if cluster and target.webhook_configuration:
        from celvet.certs.stores.webhook_configuration import WebhookConfiguration

        publisher = WebhookConfiguration(cluster, target.webhook_configuration, names)
    issuer = Issuer(store, names, policy, publisher=publisher, clock=_clock(cluster))
    return issuer, cluster is None or publisher is not None


def _clock(cluster: Cluster | None) -> Clock:
    return cluster.clock if cluster else Clock()


async def _outcome(renewal: Renewal, store: Store, clock: Clock) -> CommandResult:
    return CommandResult(renewal.reasons, inspect((await store.read()).material, clock.now()))


def _read_path(path: Path) -> Material:
    try:
        if path.is_dir():
            return read_files(path, ENTRIES)[0]
        text = read_small(path)
    except OSError as error:
        raise StoreError(f"cannot read `{path}`: {error.strerror or error}") from error
    if _is_authorities(text):
        return {AUTHORITIES: text}
    return {CERTIFICATE: text, **({KEY: text} if b"PRIVATE KEY-----" in text else {})}


def _is_authorities(text: bytes) -> bool:
    """Whether a file is a `caBundle` rather than a serving certificate."""
    try:
        return is_authority(pem.read_chain(text)[0])
    except UnusableError:
        return False
