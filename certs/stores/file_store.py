"""A bundle in a directory, shared by the processes of one machine."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.pki.material import ENTRIES, PRIVATE, Material
from celvet.certs.stores.atomic_directory import current_version, read_files, replace_files
from celvet.certs.stores.store import Snapshot

_LOCK = "..lock"


class FileStore:
    """A directory with `tls.crt`, `tls.key`, `ca.crt` and so on, replaced all at once.

    It is created on the first write; keys have mode 0600. Writers take a lock file,
    readers need none. The file system must support symbolic links and `flock`.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @property
    def place(self) -> str:
        """The directory, for messages."""
        return f"`{self.directory}`"

    async def read(self) -> Snapshot:
        """The stored content; empty if there is no such directory."""
        return await asyncio.to_thread(self._read)

    async def write(self, texts: Material, version: str | None) -> None:
        """Replace all files at once, durable when this returns."""
        await asyncio.to_thread(self._write, texts, version)

    def _read(self) -> Snapshot:
        with _store_errors(self.directory, "read"):
            return Snapshot(*read_files(self.directory, ENTRIES))

    def _write(self, texts: Material, version: str | None) -> None:
        with _store_errors(self.directory, "write"):
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _locked(self.directory / _LOCK):
                if current_version(self.directory) != version:
                    raise ConflictError(f"`{self.directory}` was written by another process")
                replace_files(self.directory, texts, PRIVATE)


@contextmanager
def _store_errors(directory: Path, what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"cannot {what} `{directory}`: {reason}") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    # must not follow a link with this name, or wait for a pipe
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
