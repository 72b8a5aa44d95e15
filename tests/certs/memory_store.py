"""A store for tests that need no Secret."""

from __future__ import annotations

from celvet.certs.errors import ConflictError
from celvet.certs.pki.material import Material
from celvet.certs.stores.store import StoreContent


class MemoryStore:
    """Keeps the texts of a bundle, with a version for each write."""

    place = "the store"

    def __init__(self, texts: Material | None = None) -> None:
        self.texts = texts or {}
        self._version = int(bool(texts))

    async def read(self) -> StoreContent:
        return StoreContent(self.texts, str(self._version) if self._version else None)

    async def write(self, texts: Material, version: str | None) -> None:
        if version != (await self.read()).version:
            raise ConflictError("written by another process")
        self.texts = dict(texts)
        self._version += 1
