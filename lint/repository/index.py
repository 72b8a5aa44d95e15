"""The effective objects of a repository: what stands in a file, as the cluster gets it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path as FilePath

from celvet.lint.kustomize import Resource, SourcePlace
from celvet.lint.kustomize.resource import Identity
from celvet.lint.locate import Locator
from celvet.lint.manifest.source.files import read_source
from celvet.lint.model import Value
from celvet.lint.repository.appliers import Applications, Instance
from celvet.lint.repository.builds import effective
from celvet.lint.repository.dependencies import cycle
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

    def cycle(self, file: str, form: Effective) -> Sequence[Identity]:
        """See `Surroundings`."""
        instances = self.applications.instances
        for each in instances:
            same = each.declared.file == file and each.resource.identity == form.resource.identity
            if same and each.by is form.by:
                return cycle(each, instances)
        return ()

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        at = Locator(self.files.manifest(place.file)).place(place.where)
        return f"{place.file}, line {at.line}"


@lru_cache(maxsize=4)
def state_of(root: FilePath) -> str:
    """A digest of the names and contents of the files below a directory; made once a process."""
    digest = blake2b(digest_size=20)
    for path in discover([root]):
        with suppress(OSError):
            data = read_source(path)
            digest.update(f"\0{path.as_posix()}\0{len(data)}\0".encode(errors="replace"))
            digest.update(data)
    return digest.hexdigest()


@lru_cache(maxsize=4)
def index_of(root: FilePath) -> Index:
    """The index of a directory; made once a process."""
    return Index(root)


def forget() -> None:
    """Make the indexes anew: files have changed."""
    index_of.cache_clear()
    state_of.cache_clear()
