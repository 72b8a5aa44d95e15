"""What rules may ask about the files around that of an object; reads them when it is asked."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from celvet.lint.model import Value, Where
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.kustomize.resource import ObjectName, SourcePlace
    from celvet.lint.repository.effective import Applied, Effective
    from celvet.lint.repository.index import Index


class Surroundings:
    """What a rule may ask about the files around that of its object; here, nothing is known."""

    __slots__ = ()

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """The forms in which an object of a file gets into the cluster, at least one."""
        from celvet.lint.kustomize.resource import Resource
        from celvet.lint.repository.effective import Effective

        return (Effective(Resource(value)),)

    def cycle(self, file: str, form: Effective) -> Sequence[ObjectName]:
        """The dependencies that lead from a form of an object back to itself; empty without."""
        return ()

    def names(self, file: str, form: Effective) -> Collection[ObjectName] | None:
        """The objects of its kind that may be in the cluster of a form of an object.

        None if the repository does not tell all of them.
        """
        return None

    def applied(self, file: str, form: Effective) -> Collection[Applied] | None:
        """The objects that a form of an object applies.

        None if the repository does not tell all of them.
        """
        return None

    def seen(self, file: str, where: Where, form: Effective) -> Collection[Applied]:
        """What a form of an object at a place seems to apply, where it stands here."""
        return ()

    def patch(self, file: str) -> Mapping[str, str] | None:
        """The `kind` and `apiVersion` that a file is a patch for, if they are known.

        None of a file that is no patch.
        """
        return None

    def line(self, place: SourcePlace) -> str:
        """A place of another file, as `flux/apps.yaml, line 12`."""
        return place.file

    def providers(self, file: str) -> tuple[Value, ...]:
        """The ResourceSetInputProviders from which a file may take inputs."""
        return ()

    def name(self, file: str) -> str:
        """What the repository calls a file; empty for one outside."""
        return ""

    def others(self, file: str) -> str:
        """A digest of the files beside a file, as they were when they were read."""
        return ""

    @property
    def problems(self) -> Sequence[str]:
        """Why nothing was known when it was asked; empty without a reason."""
        return ()


@record
class Alone(Surroundings):
    """No files around: an object is what it says it is."""


ALONE = Alone()


@record
class Repository(Surroundings):
    """A repository by its root directory; the index is made when it is asked for, once a process.

    Small and picklable, so that other processes can have it.
    """

    root: FilePath

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.effective(name, value) if name else ALONE.effective(file, value)

    def cycle(self, file: str, form: Effective) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.cycle(name, form) if name else ()

    def names(self, file: str, form: Effective) -> Collection[ObjectName] | None:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.names(name, form) if name else None

    def applied(self, file: str, form: Effective) -> Collection[Applied] | None:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.applied(name, form) if name else None

    def seen(self, file: str, where: Where, form: Effective) -> Collection[Applied]:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.seen(name, where, form) if name else ()

    def patch(self, file: str) -> Mapping[str, str] | None:
        """See `Surroundings`."""
        name = self.name(file)
        return self.index.patch_targets.get(name) if name else None

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self.index.line(place)

    def providers(self, file: str) -> tuple[Value, ...]:
        """See `Surroundings`."""
        from celvet.lint.repository.providers import providers_among  # loads what reads files

        return providers_among(self.index.files) if self.name(file) else ()

    @property
    def problems(self) -> Sequence[str]:
        """See `Surroundings`."""
        return [self.index.problem] if self.index.problem else []

    def prepare(self, texts: Iterable[bytes]) -> None:
        """Make the index, for other processes to have it, if objects of the texts need it."""
        from celvet.schemas.applier import appliers

        words = [kind.group.encode() for kind in appliers()]
        if any(word in text for text in texts for word in words):
            _ = self.index.applications

    @property
    def state(self) -> str:
        """A digest of the names and contents of its files, as they were when it was first asked."""
        from celvet.lint.repository.files import files_of  # loads less than the index

        return files_of(self.root).state()

    def others(self, file: str) -> str:
        """See `Surroundings`."""
        return self.index.files.state(self.name(file))

    @property
    def index(self) -> Index:
        """The index of the files as they are now, or were when it was made."""
        from celvet.lint.repository.index import index_of

        return index_of(self.root)

    def name(self, file: str) -> str:
        """See `Surroundings`."""
        path, root = os.path.abspath(file), os.path.join(self.root, "")  # noqa: PTH100, PTH118
        return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else ""


class Forwarded(Surroundings, ABC):
    """Surroundings that ask others, perhaps about another file."""

    __slots__ = ()

    @abstractmethod
    def _ask(self, file: str) -> tuple[Surroundings, str]:
        """Who is asked about a file, and about which file."""

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.effective(name, value)

    def cycle(self, file: str, form: Effective) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.cycle(name, form)

    def names(self, file: str, form: Effective) -> Collection[ObjectName] | None:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.names(name, form)

    def applied(self, file: str, form: Effective) -> Collection[Applied] | None:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.applied(name, form)

    def seen(self, file: str, where: Where, form: Effective) -> Collection[Applied]:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.seen(name, where, form)

    def patch(self, file: str) -> Mapping[str, str] | None:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.patch(name)

    def providers(self, file: str) -> tuple[Value, ...]:
        """See `Surroundings`."""
        around, name = self._ask(file)
        return around.providers(name)


class Recorded(Forwarded):
    """Surroundings that record whether they were asked about a file, and so decide about it."""

    __slots__ = ("asked", "repository")

    def __init__(self, repository: Surroundings) -> None:
        self.repository = repository
        self.asked = False

    def _ask(self, file: str) -> tuple[Surroundings, str]:
        self.asked = self.asked or bool(self.repository.name(file))
        return self.repository, file

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        return self.repository.line(place)

    def name(self, file: str) -> str:
        """See `Surroundings`."""
        return self.repository.name(file)

    def others(self, file: str) -> str:
        """See `Surroundings`; empty if it was not asked about any file."""
        return self.repository.others(file) if self.asked else ""

    @property
    def problems(self) -> Sequence[str]:
        """See `Surroundings`; none if it was not asked."""
        return self.repository.problems if self.asked else ()


def forget() -> None:
    """Read all repositories again: files have changed."""
    from celvet.lint.repository.discover import plainly_below
    from celvet.lint.repository.files import files_of
    from celvet.lint.repository.index import index_of

    plainly_below.cache_clear()
    files_of.cache_clear()
    index_of.cache_clear()
