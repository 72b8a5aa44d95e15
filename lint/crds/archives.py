"""Reads the files in an archive one by one; nothing is written to disk."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar, cast

from celvet.lint.crds.crd_limits import MAX_FILE, MAX_FILES, MAX_UNPACKED, TAR

MemberT = TypeVar("MemberT")


class UnreadableArchiveError(Exception):
    """An archive is damaged or too large, as the message says."""


def members(path: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Name and content of the files in an archive whose names end like this.

    Raises `UnreadableArchiveError` when reading cannot continue; what was yielded before is valid.
    """
    unpack = _tar if path.name.endswith(TAR) else _zip
    try:
        with path.open("rb") as file:
            yield from unpack(file, suffixes)
    except UnreadableArchiveError:
        raise
    except Exception as error:  # the readers of these formats may raise any error of their parsers
        reason = error.strerror if isinstance(error, OSError) else None
        raise UnreadableArchiveError(reason or f"not a readable archive ({error})") from error


def _tar(file: IO[bytes], suffixes: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    is_gzip = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    source = cast(IO[bytes], _Bounded(gzip.GzipFile(fileobj=file) if is_gzip else file))
    # read as a stream, without seeking, so that each byte is unpacked and counted once
    allowance = MAX_UNPACKED
    with tarfile.open(fileobj=source, mode="r|") as archive:
        for member in _count_members(archive):
            if member.isfile() and member.name.endswith(suffixes):
                _check(member.name, member.size)
                allowance = _spend(
                    allowance, member.size
                )  # a sparse file is larger than its unpacked bytes
                content = archive.extractfile(member)
                yield member.name, content.read() if content else b""


class _Bounded:
    """A stream that raises an error before it exceeds what an archive may contain."""

    def __init__(self, source: IO[bytes] | gzip.GzipFile) -> None:
        self._source = source
        self._allowance = MAX_UNPACKED

    def read(self, size: int) -> bytes:
        data = self._source.read(size)
        self._allowance = _spend(self._allowance, len(data))
        return data


def _zip(file: IO[bytes], suffixes: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    allowance = MAX_UNPACKED
    with zipfile.ZipFile(file) as archive:
        for member in _count_members(archive.infolist()):
            if member.filename.endswith(suffixes):
                _check(member.filename, member.file_size)
                with archive.open(member) as content:
                    data = content.read(MAX_FILE)  # the size in the header may be wrong
                allowance = _spend(allowance, len(data))
                yield member.filename, data


def _count_members(archive: Iterable[MemberT]) -> Iterator[MemberT]:
    for count, member in enumerate(archive):
        if count == MAX_FILES:
            raise UnreadableArchiveError(f"has more than {MAX_FILES:,} members")
        yield member


def _check(name: str, size: int) -> None:
    if size > MAX_FILE:
        raise UnreadableArchiveError(f"{name} has more than {MAX_FILE // 2**20} MiB")


def _spend(allowance: int, size: int) -> int:
    if size > allowance:
        raise UnreadableArchiveError(f"unpacks to more than {MAX_UNPACKED // 2**20} MiB")
    return allowance - size
