"""The applications of files: who applies each, and how that changes its objects."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from celvet.lint.kustomize.fields import Transformer
from celvet.lint.kustomize.resource import Resource, SourcePlace
from celvet.lint.model import Value
from celvet.lint.repository.apply_sites import ApplySites
from celvet.lint.repository.builds.build import Passes, forget_object, transform
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance

_MOST_APPLICATIONS = 100
"""The most applications of a file; about a file with more, nothing is known."""


class Application(NamedTuple):
    """How a file gets into the cluster: by whom, and through which transformers.

    The `applier_transformers` follow those of the build, and are the same for all that the applier
    applies.
    """

    by: Instance | None
    file: str
    build: Passes = ()
    applier_transformers: tuple[Transformer, ...] = ()

    @property
    def passes(self) -> Passes:
        """What the objects of the file pass."""
        return (*self.build, self.applier_transformers)


class FollowedObject(NamedTuple):
    """An object with the changes that its appliers make to it."""

    application: Application
    value: dict[str, Value]
    resource: Resource | None


class Applications:
    """The applications of all files.

    `instances` are all objects that apply something, `sites` says where, and `roots` are the places
    of those whose file no other one applies. One that several roots apply in the same form is there
    once, and `further_roots` has the others. With `has_all_appliers`, nothing else in the
    repository can add more. If not `complete`, nothing is known about any file.
    """

    def __init__(self, files: Files, sites: ApplySites) -> None:
        self.sites = sites
        self.instances: list[Instance] = []
        self.roots: frozenset[SourcePlace] = frozenset()
        self.further_roots: dict[Instance, list[Instance]] = {}
        self.complete = self.has_all_appliers = files.complete
        self._files = files
        self._of: dict[str, list[Application]] = {}
        self._followed: dict[str, list[FollowedObject]] = {}

    def add(self, application: Application) -> None:
        """Record an application of a file, unless there are too many."""
        applications = self._of.setdefault(application.file, [])
        if len(applications) <= _MOST_APPLICATIONS:
            applications.append(application)

    def add_object(self, obj: FollowedObject) -> None:
        """Record the changed form of an object that applies others."""
        self._followed.setdefault(obj.application.file, []).append(obj)

    def is_applied(self, file: str) -> bool:
        """Whether an object of the repository applies a file."""
        return any(application.by for application in self._of.get(file, ()))

    @property
    def applied_files(self) -> frozenset[str]:
        """The files that an object of the repository applies so far."""
        return frozenset(file for file in self._of if self.is_applied(file))

    def of(self, file: str) -> Sequence[Application]:
        """The applications of a file; a file that nothing applies has one, without changes."""
        applications = self._of.get(file, ())
        if not self.complete or len(applications) > _MOST_APPLICATIONS:
            return (Application(None, file, applier_transformers=(forget_object,)),)
        return applications or (Application(None, file),)

    def transform(self, application: Application, value: dict[str, Value]) -> Resource | None:
        """An object of a file after the transformers of an application; None if one removes it."""
        for obj in self._followed.get(application.file, ()):
            if obj.application is application and _is_same_text(obj.value, value):
                return obj.resource
        return transform(value, application.passes)

    def may_be_changed(self, root: Instance) -> bool:
        """Whether an unknown applier may change an object that is followed as if it had none.

        One of which not even a part of the path is known is not taken to apply the roots.
        """
        obj = root.template.file_object if root.template else root.file_object
        appliers = (application.by for application in self._of.get(obj.file, ()))
        if any(by and by.file_object.place == obj.place for by in appliers):
            return False
        directories = self.sites.uncertain - ({""} if obj.place in self.roots else set())
        return is_below(obj.file, directories)

    def may_be_applied(self, file: str) -> bool:
        """Whether an unknown applier may change a file."""
        return is_below(file, self.sites.uncertain)


def is_below(file: str, directories: Collection[str]) -> bool:
    """Whether a file is below one of the directories; all are below the empty one."""
    return any(not directory or file.startswith(f"{directory}/") for directory in directories)


def _is_same_text(value: dict[str, Value], other_value: dict[str, Value]) -> bool:
    """Whether two objects were read from the same text, not merely from equal ones."""
    return value.keys() == other_value.keys() and all(
        other_value[key] is part for key, part in value.items()
    )
