"""Publishes the trusted authorities of a bundle to clients."""

from __future__ import annotations

from typing import Protocol

from celvet.certs.pki.bundle import Bundle
from celvet.certs.stores.store import Store, read_bundle
from celvet.record import record


@record
class Published:
    """A bundle whose `ca_bundle` is now in the clients' configuration.

    `repaired` is true if it was not there before, as at the first time.
    """

    bundle: Bundle
    repaired: bool


class Publisher(Protocol):
    """Gives the stored `ca_bundle` to the clients."""

    async def publish(self, store: Store) -> Published:
        """Publish what is stored, if it is not yet; raises `StoreError`."""
        ...


class StoreIsPublic:
    """For clients that read the store themselves, through a mount or cert-manager's injector."""

    async def publish(self, store: Store) -> Published:
        """The stored bundle: there is nothing to do."""
        bundle, _ = await read_bundle(store)
        return Published(bundle, repaired=False)
