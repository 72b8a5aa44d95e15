"""The YAML files of a repository, read once and parsed on demand."""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from itertools import chain, islice
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, TypeVar

from celvet.lint.discovery.discover import SUFFIXES, files_below
from celvet.lint.discovery.root import is_special
from celvet.lint.go.kustomize_scalars import may_differ
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import SourcePlace, TextDocument
from celvet.lint.manifest.source.byte_search import may_hold
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.manifest.source.files import read_source
from celvet.lint.model import Path, Value, Where
from celvet.lint.repository.documents import (
    KUSTOMIZATION_FILES,
    applied_parts,
    for_kustomize,
    placed_documents,
    read_text,
)
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.manifest import Manifest

ResultT = TypeVar("ResultT")

_MOST_FILES = 20_000
_MOST_BYTES = 200 * 2**20
_MOST_KEPT = 32 * 2**20
"""Bytes of files that are not read again when they are asked for again."""


@record(eq=False)
class FileObject:
    """An object of a file: the number of its document, and its path in it."""

    file: str
    document: int
    path: Path
    value: dict[str, Value]

    @property
    def place(self) -> SourcePlace:
        """The place of the object; no two objects of a file share one."""
        return self.at(())

    def at(self, path: Path) -> SourcePlace:
        """The place of a path of the object."""
        return SourcePlace(self.file, Where(self.document, self.path + path))


class Files:
    """The files below a directory; names are relative to it, with slashes.

    Not `complete` if there are more files than celvet reads. `derived` has the results of
    `cached_with_files`.
    """

    def __init__(self, root: FilePath) -> None:
        self.root = root
        self._files: dict[str, list[str]] = {"": []}
        self._below: dict[str, list[str]] = {}
        self._names: set[str] = set()
        self._cached: dict[str, bytes] = {}
        self._unlisted: dict[str, bytes] = {}
        self.derived: dict[object, Any] = {}
        self._bytes_left = _MOST_BYTES
        manifests = (name for name in files_below(root) if name.endswith(SUFFIXES))
        names = list(islice(manifests, _MOST_FILES + 1))
        for name in names[:_MOST_FILES]:
            self._add(name.replace(os.sep, "/"))
            if self._bytes_left < 0:
                break
        self.complete = len(names) <= _MOST_FILES and self._bytes_left >= 0
        self._state_without = cache(self._compute_state)
        self._digests = cache(self._compute_digests)
        self.files_with = cache(self._files_with)
        self.manifest = cache(self._manifest)
        self.files_mentioning = cache(self._files_mentioning)
        self.objects = cache(self._objects)
        self.kustomization = cache(self._kustomization)

    def _add(self, name: str) -> None:
        directory = above = posixpath.dirname(name)
        while above not in self._files:
            self._files[above] = []
            parent = posixpath.dirname(above)
            self._below.setdefault(parent, []).append(above)
            above = parent
        self._files[directory].append(name)
        self._names.add(name)
        with suppress(OSError):
            data = self._content(name)
            self._bytes_left -= len(data)
            if self._bytes_left >= _MOST_BYTES - _MOST_KEPT:
                self._cached[name] = data

    def _content(self, name: str) -> bytes:
        """The content of a file; if there was room to keep it, as it was when found."""
        data = self._cached.get(name)
        if data is not None:
            return data
        path = f"{self.root}/{name}"
        if name not in self._names and is_special(path):
            raise OSError(errno.EINVAL, "a device or a pipe")
        return read_source(path)

    def state(self, without: str = "") -> str:
        """A digest of the names and contents, perhaps `without` a file.

        A patch may have any name, or be ignored by git. Such files count once they have been read,
        and then the digest changes, so that what depends on them is computed again.
        """
        further = sorted(self._unlisted.items())
        return _digest(repr((self._state_without(without), further)).encode()).hex()

    def _compute_state(self, without: str) -> str:
        digests = [entry for entry in self._digests() if entry[0] != without]
        return _digest(repr((self.complete, digests)).encode()).hex()

    def _compute_digests(self) -> list[tuple[str, bytes]]:
        """The digests of the files, and of kustomizations whose name has no suffix."""
        digests = [(name, _digest(data)) for name, data in self._contents()]
        for name in map(_unsuffixed_name, self._files):
            with suppress(OSError):
                digests.append((name, _digest(self._content(name))))
        return digests

    def _files_with(self, *words: bytes) -> list[str]:
        """The files that contain one of the words."""
        names = []
        for name, data in self._contents():
            for word in words:  # `any` takes twice as long
                if data.find(word) >= 0:
                    names.append(name)
                    break
        return sorted(names)

    def files_with_all(self, word: bytes, *more: bytes) -> list[str]:
        """The files that contain all of the words."""
        return [
            name
            for name in self.files_with(word)
            if all(self._holds(name, other_word) for other_word in more)
        ]

    def _holds(self, name: str, word: bytes) -> bool:
        try:
            return self._content(name).find(word) >= 0
        except OSError:
            return False

    def _contents(self) -> Iterator[tuple[str, bytes]]:
        """The files that can be read, each with its content."""
        for name in chain.from_iterable(self._files.values()):
            data = self._cached.get(name)
            if data is not None:
                yield name, data
                continue
            with suppress(OSError):
                yield name, self._content(name)

    def _files_mentioning(self, word: bytes, text: str) -> list[str]:
        """The files with a word that may contain a text."""
        data = text.encode(errors="replace")
        return [name for name in self.files_with(word) if self.may_hold(name, data)]

    def text(self, name: str) -> str:
        """The text of a file, which need not be parsed; empty for one that cannot be read."""
        try:
            return decode(bytes(self._content(name)))[0]
        except OSError:
            return ""

    def may_hold(self, name: str, *texts: bytes) -> bool:
        """Whether a file may contain one of some texts."""
        try:
            return may_hold(self._content(name), texts)
        except OSError:
            return False

    def directories(self) -> Iterator[str]:
        """The directories that have YAML files somewhere below them; the root is empty."""
        return iter(self._files)

    def is_directory(self, name: str) -> bool:
        """Whether there is such a directory."""
        return name in self._files or (name not in self._names and (self.root / name).is_dir())

    def exists(self, name: str) -> bool:
        """Whether there is such a file or directory, perhaps one that git ignores."""
        return name in self._names or name in self._files or (self.root / name).exists()

    @cached_property
    def has_submodules(self) -> bool:
        """Whether directories may come from other repositories."""
        return (self.root / ".gitmodules").exists()

    def files_in(self, directory: str) -> list[str]:
        """The names of the YAML files directly in a directory."""
        return self._files.get(directory, [])

    def directories_in(self, directory: str) -> list[str]:
        """The directories directly in a directory."""
        return self._below.get(directory, [])

    def _kustomization(self, directory: str) -> str:
        """The file that tells kustomize what to build in a directory; empty without one."""
        return next(self.kustomizations(directory), "")

    def kustomizations(self, directory: str) -> Iterator[str]:
        """The kustomizations of a directory, of which kustomize accepts only one."""
        listed_names = self.files_in(directory)
        for name in (posixpath.join(directory, base) for base in KUSTOMIZATION_FILES):
            is_unlisted = name not in listed_names  # only files with a suffix are listed
            if is_unlisted and (name.endswith(SUFFIXES) or not self._is_file(name)):
                continue
            yield name

    def _is_file(self, name: str) -> bool:
        return os.path.isfile(f"{self.root}/{name}")  # noqa: PTH113 - 4 times faster

    def _manifest(self, name: str) -> Manifest:
        """A file, read; raises `KustomizeError` for one that cannot be read."""
        try:
            data = bytes(self._content(name))
        except OSError as error:
            if not name.endswith(SUFFIXES):  # else it will be listed once it is there
                self._unlisted[name] = b""
            raise KustomizeError(f"{name}: {error.strerror or error}") from None
        if not self._is_listed(name):
            self._unlisted[name] = _digest(data)
        return for_kustomize(read_text(data, name))

    def has_several_readings(self, name: str) -> bool:
        """Whether a file may have variables, or scalars that kubectl and kustomize read apart."""
        try:
            return self.may_hold(name, b"${") or may_differ(self.manifest(name).text)
        except KustomizeError:
            return False

    def values_for_kubectl(self, name: str) -> list[dict[str, Value]]:
        """The objects of a file, in the order of `objects`, as kubectl reads them."""
        manifest = self.manifest(name)
        if may_differ(manifest.text):
            manifest = read_text(bytes(self._content(name)), name)
        return [part.value for _, part in applied_parts(manifest)]

    def with_inner_texts(self, name: str) -> Manifest:
        """A file, read together with the manifests in its texts, to find places in these."""
        from celvet.lint.manifest import read  # not needed without findings

        self.manifest(name)
        return read(bytes(self._content(name)), name)

    def _is_listed(self, name: str) -> bool:
        """Whether the digest of all files covers one that can be read."""
        directory = posixpath.dirname(name)
        is_unsuffixed = directory in self._files and name == _unsuffixed_name(directory)
        return is_unsuffixed or name in self._names

    def documents(self, name: str) -> list[TextDocument]:
        """The documents of a file; raises `KustomizeError` for one that cannot be read."""
        return placed_documents(
            self.manifest(name), lambda document, path: SourcePlace(name, Where(document, path))
        )

    def is_readable(self, name: str) -> bool:
        """Whether all objects of a file can be read."""
        try:
            return all(document.readable for document in self.manifest(name).documents)
        except KustomizeError:
            return False

    def _objects(self, name: str) -> list[FileObject]:
        """The objects of a file, items of lists included; none of one that cannot be read."""
        try:
            manifest = self.manifest(name)
        except KustomizeError:
            return []
        return [
            FileObject(name, index, part.path, part.value)
            for index, part in applied_parts(manifest)
        ]


def _digest(data: bytes) -> bytes:
    from hashlib import blake2b  # not needed without a cache of results

    return blake2b(data, digest_size=20).digest()


def _unsuffixed_name(directory: str) -> str:
    """The name of a kustomization whose name is not that of a YAML file."""
    return posixpath.join(directory, KUSTOMIZATION_FILES[-1])


def cached_with_files(make: Callable[..., ResultT]) -> Callable[..., ResultT]:
    """Cache the result of a function of files, and perhaps of names, as long as the files exist.

    A separate cache would keep old files after an editor has read them again.
    """

    def wrapper(files: Files, *names: str) -> ResultT:
        key = make, names
        if key not in files.derived:
            files.derived[key] = make(files, *names)
        result: ResultT = files.derived[key]
        return result

    return wrapper


@lru_cache(maxsize=4)
def files_of(root: FilePath) -> Files:
    """The files of a directory; listed once per process."""
    return Files(root)
