"""A serving certificate that others write: cert-manager, a mounted Secret, an administrator."""

from __future__ import annotations

import asyncio
from pathlib import Path

from celvet.certs.errors import StoreError


class MountedCertificate:
    """Two files, read again each time: mounted Secrets give no dependable events.

    While the kubelet swaps them, certificate and key may come from two versions. That
    pair is refused where it is loaded, and the next look finds both new.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate = certificate
        self._key = key

    async def fetch(self) -> tuple[bytes, bytes]:
        """The chain and the key as they are now; raises `StoreError`."""
        return await asyncio.to_thread(lambda: (_read(self._certificate), _read(self._key)))

    async def publish(self) -> None:
        """Nothing to do: who writes the files tells the clients."""


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"cannot read `{path}`: {error.strerror or error}") from error
