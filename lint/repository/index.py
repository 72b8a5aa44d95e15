"""The effective objects of a repository: the objects of its files, as the cluster gets them."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path as FilePath

from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
from celvet.lint.locate import Locator
from celvet.lint.manifest.objects.patches import patch_files
from celvet.lint.model import ObjectRef, Path, Value, Where
from celvet.lint.repository.answers.clusters import Clusters, applies
from celvet.lint.repository.answers.forms import Forms
from celvet.lint.repository.answers.given_variables import GivenVariables
from celvet.lint.repository.answers.unset_variables import UnsetVariableSearch
from celvet.lint.repository.applications import Applications, is_below
from celvet.lint.repository.appliers import find_applications
from celvet.lint.repository.builds.build import Build, objects, transform
from celvet.lint.repository.dependencies import dependencies, find_cycle
from celvet.lint.repository.files import FileObject, Files, files_of
from celvet.lint.repository.instance import Instance, applying_fields
from celvet.lint.repository.object_form import (
    AppliedObject,
    BuildFailure,
    ObjectForm,
)
from celvet.lint.repository.refusals.search import RefusalSearch
from celvet.lint.values import group_kind_of, object_ref_of, text_at
from celvet.schemas.applier import applier


class Index:
    """The files below a directory and who applies them; each part is made on demand."""

    def __init__(self, root: FilePath) -> None:
        self.files = files_of(root)

    @property
    def problem(self) -> str:
        """Why nothing is known; empty if something is."""
        if self.files.complete:
            return ""
        return (
            f"{self.files.root} holds too many YAML files to look for what changes an object of"
            " another file; lint a smaller directory"
        )

    @cached_property
    def applications(self) -> Applications:
        """Which objects apply which directories, and with which changes."""
        return find_applications(self.files, self.patch_targets)

    @cached_property
    def patch_targets(self) -> Mapping[str, Mapping[str, str]]:
        """The files that are patches, with what each is for."""
        return _patch_targets(self.files) if self.files.complete else {}

    @cached_property
    def variables(self) -> GivenVariables:
        """The values of variables."""
        return GivenVariables(self.files, self.applications)

    @cached_property
    def forms(self) -> Forms:
        """The forms of objects in the cluster."""
        return Forms(self.files, self.applications, self.variables, self._refusals)

    @cached_property
    def unset(self) -> UnsetVariableSearch:
        """The variables without a value."""
        return UnsetVariableSearch(self.files, self.applications, self.variables, self.forms)

    @cached_property
    def _refusals(self) -> RefusalSearch:
        return RefusalSearch(self.files, self.applications)

    @cached_property
    def clusters(self) -> Clusters:
        """The names in a cluster, and who waits for whom there."""
        return Clusters(self.files, self.applications, self.forms, self.patch_targets)

    def is_unapplied(self, file: str, hidden: Collection[str] = ()) -> bool:
        """Whether no object of the repository certainly applies a file.

        What comes from a root in one of the `hidden` files does not count if there is another root.
        """
        applications = self.applications
        roots = [application.by.root for application in applications.of(file) if application.by]
        is_dead = bool(roots) and {root.file_object.file for root in roots}.issubset(hidden)
        is_dead &= any(place.file not in hidden for place in applications.roots)
        is_complete = self.is_one and applications.complete
        is_applied = applications.is_applied(file) and not is_dead
        return is_complete and not is_applied and not applications.may_be_applied(file)

    def dependency_cycle(self, file: str, form: ObjectForm, path: Path) -> Sequence[ObjectName]:
        """The dependencies at a path that lead from a form of an object back to it; else empty."""
        kind = group_kind_of(form.resource.value)
        start = self.instance(file, form) if applies(kind) else form.by
        if start is None:
            return ()
        goal = form.resource.identity
        names = [*dependencies(form.resource, path, built_in=True)]
        if not self.is_one:
            return find_cycle(goal, names, {goal: names})
        return find_cycle(goal, names, self.clusters.loops(kind, path, start, form.by))

    def names_without(
        self, file: str, form: ObjectForm, name: ObjectName
    ) -> Collection[ObjectName] | None:
        """The names of objects of its kind in the cluster of a form, if none has this name.

        The cluster of an object that nothing here applies is not known.
        """
        kind = group_kind_of(form.resource.value)
        start = self.instance(file, form) if applies(kind) else form
        if start is None or start.by is None or not self.is_one:
            return None
        return self.clusters.names_without(kind, name)

    def objects_named(self, name: str) -> Mapping[ObjectRef, ObjectName]:
        """The applied objects that have a name in their file, each with what applies it.

        A name that a build changes is not looked for.
        """
        return {
            object_ref_of(form.resource.value): form.by.resource.identity
            for file in self.files.files_with(name.encode())
            for obj in self.files.objects(file)
            if text_at(obj.value, ("metadata", "name")) == name
            for form in self.forms.of(file, obj.value)
            if form.by and form.resource.identity.name == name
        }

    def all_objects(self, file: str, form: ObjectForm) -> frozenset[AppliedObject] | None:
        """The objects that a form applies, if this is one repository; None if some are unknown."""
        start = self.instance(file, form)
        build = self.applications.sites.certain_build(start) if start else None
        if start is None or build is None:
            return None
        known_objects, complete = self._objects(start, build)
        return known_objects if complete else None

    def applies_uncertainly(self, file: str, where: Where, value: dict[str, Value]) -> bool:
        """Whether the object at a place applies files here, if this is one repository."""
        forms = () if self.is_one else self.forms.of(file, value)
        return any(self._apparent_site(file, where, form) for form in forms)

    def apparent_objects(
        self, file: str, where: Where, form: ObjectForm
    ) -> frozenset[AppliedObject] | None:
        """The objects that a form of the object at a place seems to apply; None if not here.

        Each source has a root directory; for an object that nothing here applies, any may be meant.
        """
        site = self._apparent_site(file, where, form)
        return self._objects(*site)[0] if site else None

    def apparent_resources(
        self, file: str, where: Where, form: ObjectForm, kinds: Sequence[str]
    ) -> Sequence[Resource]:
        """The objects of some kinds that a form of the object at a place seems to apply."""
        site = self._apparent_site(file, where, form)
        if site is None:
            return ()
        instance, build = site
        substitution = self.applications.sites.substitution(instance)
        words = [kind.partition(".")[0].encode() for kind in kinds]
        resources = (
            transform(obj.value, (*entry.passes, substitution))
            for entry in build.entries
            if self.files.may_hold(entry.file, *words)
            for obj in self.files.objects(entry.file)
            if str(group_kind_of(obj.value)) in kinds
        )
        return [resource for resource in resources if resource]

    def _apparent_site(
        self, file: str, where: Where, form: ObjectForm
    ) -> tuple[Instance, Build] | None:
        """The instance of a form of the object at a place, and what it seems to apply."""
        value = dict(form.resource.value)
        group_kind = group_kind_of(value)
        kind = applier(*group_kind)
        obj = FileObject(file, where.document, where.path, value)
        is_root = form.by is None or form.by.file_object.place == obj.place
        if kind is None or (is_root and not text_at(value, kind.path).strip("./")):
            return None
        unsaved_instance = Instance(obj, kind, form.resource, form.by)
        instance = self.instance(file, form) or unsaved_instance
        build = self.applications.sites.apparent_build(instance)
        return (instance, build) if build else None

    def _objects(self, instance: Instance, build: Build) -> tuple[frozenset[AppliedObject], bool]:
        """The objects of a build, with the variables of the instance, and whether that is all."""
        substitution = self.applications.sites.substitution(instance)
        return objects(build, self.files, substitution)

    def build_refusal(self, file: str, form: ObjectForm) -> BuildFailure | None:
        """Why kustomize or Flux certainly builds nothing of what a form of an object applies."""
        start = self.instance(file, form)
        refusal = self._refusals.of(start) if start and self.is_one else None
        return refusal._replace(left_out=self._is_left_out(start)) if start and refusal else None

    def _is_left_out(self, instance: Instance) -> bool:
        """Whether nothing applies an instance, though it lies in a directory that is applied."""
        file = instance.file_object.file
        if instance.by or not self.is_unapplied(file):
            return False
        roots = (root for root in self.applications.instances if root.by is None)
        directories = (
            self.applications.sites.directory(root)
            for root in roots
            if root.file_object.file != file
        )
        return is_below(file, [directory for directory in directories if directory is not None])

    @cached_property
    def is_one(self) -> bool:
        """Whether this is certainly one repository: without git, there may be several."""
        return (self.files.root / ".git").exists()

    def instance(self, file: str, form: ObjectForm) -> Instance | None:
        """The instance of a form, if it is unchanged; an editor's text may be newer."""
        instance = self._instances.get(_key(file, form.resource, form.by))
        if instance is None or instance.resource.unknown != form.resource.unknown:
            return None
        old, new = instance.resource.value, form.resource.value
        # most values are equal as a whole, which takes a tenth of the time to see
        is_unchanged = old == new or (
            applying_fields(instance.kind, old) == applying_fields(instance.kind, new)
        )
        return instance if is_unchanged else None

    @cached_property
    def _instances(self) -> dict[Hashable, Instance]:
        instances: dict[Hashable, Instance] = {}
        for instance in self.applications.instances:
            instances.setdefault(
                _key(instance.file_object.file, instance.resource, instance.by), instance
            )
        return instances

    def place_label(self, place: SourcePlace) -> str:
        """The file and the line of a place."""
        position = Locator(self.files.with_inner_texts(place.file)).place(place.where)
        return f"{place.file}, line {position.line}"


def _key(file: str, resource: Resource, by: Instance | None) -> Hashable:
    return file, group_kind_of(resource.value), resource.identity, by


@lru_cache(maxsize=4)
def index_of(root: FilePath) -> Index:
    """The index of a directory; made once per process."""
    return Index(root)


def _patch_targets(files: Files) -> dict[str, Mapping[str, str]]:
    """The patch files of a repository, each with what the target of its first use names."""
    targets: dict[str, Mapping[str, str]] = {}
    for name in files.files_with(b"patch"):
        directory = posixpath.dirname(name)
        for obj in files.objects(name) if files.kustomization(directory) == name else ():
            for file, target in patch_files(obj.value):
                targets.setdefault(posixpath.normpath(posixpath.join(directory, file)), target)
    return targets
