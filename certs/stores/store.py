"""The interfaces of stores and publishers, and the change of a bundle by compare-and-swap."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Protocol

from celvet.certs.clock import Clock
from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.pki import material
from celvet.certs.pki.bundle import Bundle, Renewal
from celvet.certs.pki.material import Material
from celvet.record import record

_ATTEMPTS = 20
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 2.0


@record
class StoreContent:
    """The content of a store, and the version to name when replacing it.

    `version` is opaque; None if nothing is stored yet.
    """

    material: Material
    version: str | None


class Store(Protocol):
    """A place for one bundle that several processes share."""

    @property
    def place(self) -> str:
        """The name of the store in messages."""
        ...

    async def read(self) -> StoreContent:
        """The stored content; raises `StoreError`."""
        ...

    async def write(self, texts: Material, version: str | None) -> None:
        """Replace all entries at once, if the version is still the stored one.

        Raises `ConflictError` if it is not, `StoreError` for any other failure.
        """
        ...


@record
class Publication:
    """A bundle whose `ca_bundle` is now in the clients' configuration.

    `repaired` is true if it was not there before, as at the first time.
    """

    bundle: Bundle
    repaired: bool


class Publisher(Protocol):
    """Gives the stored `ca_bundle` to the clients."""

    async def publish(self, store: Store) -> Publication:
        """Publish what is stored, if it is not yet; raises `StoreError`."""
        ...


async def read_bundle(store: Store) -> tuple[Bundle, tuple[str, ...]]:
    """The stored bundle and what is damaged in it; raises `StoreError`."""
    return material.decode((await store.read()).material)


async def update(store: Store, change: Callable[[Bundle], Renewal], clock: Clock) -> Renewal:
    """Change the stored bundle; on a conflict, start again from what the other wrote.

    Returns the stored result; its reasons start with the damaged parts. Nothing is written if
    nothing changes. Raises `StoreError`.
    """
    for pause in islice(clock.pauses(_FIRST_PAUSE, _LONGEST_PAUSE), _ATTEMPTS):
        try:
            return await _try_update(store, change)
        except ConflictError:
            await clock.sleep(pause)
    raise StoreError(f"other processes keep changing {store.place}")


async def _try_update(store: Store, change: Callable[[Bundle], Renewal]) -> Renewal:
    snapshot = await store.read()
    if material.is_foreign(snapshot.material):
        raise StoreError(
            f"{store.place} holds certificates that celvet did not make and will not overwrite: "
            "delete them, or name another place"
        )
    bundle, problems = material.decode(snapshot.material)
    renewal = change(bundle)
    texts = material.encode(renewal.bundle)
    if texts != _entries(snapshot.material):
        await store.write(texts, snapshot.version)
    return Renewal(renewal.bundle, problems + renewal.reasons)


def _entries(stored: Material) -> dict[str, bytes]:
    """The stored entries that belong to a bundle; a Secret may have others."""
    return {entry: stored[entry] for entry in material.ENTRIES if entry in stored}
