"""The effective objects of a repository: what stands in a file, as the cluster gets it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path as FilePath
from typing import Protocol

from celvet.lint.kustomize import Resource, SourcePlace
from celvet.lint.locate import Locator
from celvet.lint.manifest.source.files import read_source
from celvet.lint.model import Value
from celvet.lint.repository.appliers import Applications, Instance
from celvet.lint.repository.builds import effective
from celvet.lint.repository.discover import discover
from celvet.lint.repository.files import Files
from celvet.schemas.applier import appliers


@dataclass(frozen=True, slots=True)
class Effective:
    """An object as the cluster gets it in one of its applications.

    `by` is who applies it; None if nobody in the repository does.
    """

    resource: Resource
    by: Instance | None = None


class Surroundings(Protocol):
    """What a rule may ask about the files around that of its object."""

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """The forms in which an object of a file gets into the cluster, at least one."""

    def line(self, place: SourcePlace) -> str:
        """A place of another file, as `flux/apps.yaml, line 12`."""


@dataclass(frozen=True, slots=True)
class Alone:
    """No repository: an object is what it says it is."""

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """The object itself."""
        return (Effective(Resource(value)),)

    def line(self, place: SourcePlace) -> str:
        """Never asked: no other place decides."""
        return place.file


ALONE = Alone()


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository by its root directory; the index is made when it is asked for, once a process.

    Small and picklable, so that other processes can have it.
    """

    root: FilePath

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.effective(name, value) if name else ALONE.effective(file, value)

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self.index.line(place)

    @property
    def state(self) -> str:
        """A digest of the names and contents of its files, as they were when it was first asked."""
        return _state(self.root)

    @property
    def index(self) -> Index:
        """The index of the files as they are now, or were when it was made."""
        return _index(self.root)

    def name(self, file: str) -> str:
        """What the repository calls a file; empty for one outside."""
        path = FilePath(os.path.abspath(file))  # noqa: PTH100 - links are kept
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else ""


class Index:
    """The files below a directory and who applies them."""

    def __init__(self, root: FilePath) -> None:
        words = [kind.group.encode() for kind in appliers()]
        self.files = Files(root, [*words, b"ConfigMap", b"source.toolkit.fluxcd.io"])

    @cached_property
    def applications(self) -> Applications:
        """Who applies what."""
        return Applications(self.files)

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        found = []
        for by, passes in self.applications.of(file):
            resource = effective(value, passes)
            if resource is None:
                continue
            if by is None and self.applications.maybe_applied(file):
                resource = resource.not_known(())
            found.append(Effective(resource, by))
        return found or (Effective(Resource(value).not_known(())),)

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        at = Locator(self.files.manifest(place.file)).place(place.where)
        return f"{place.file}, line {at.line}"


class Recorded:
    """A repository that records whether it was asked about a file, and so decides about it."""

    __slots__ = ("asked", "repository")

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.asked = False

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        self.asked = self.asked or bool(self.repository.name(file))
        return self.repository.effective(file, value)

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self.repository.line(place)


@lru_cache(maxsize=4)
def _state(root: FilePath) -> str:
    digest = blake2b(digest_size=20)
    for path in discover([root]):
        with suppress(OSError):
            data = read_source(path)
            digest.update(f"\0{path.as_posix()}\0{len(data)}\0".encode(errors="replace"))
            digest.update(data)
    return digest.hexdigest()


@lru_cache(maxsize=4)
def _index(root: FilePath) -> Index:
    return Index(root)


def forget() -> None:
    """Make the indexes anew: files have changed."""
    _index.cache_clear()
    _state.cache_clear()
