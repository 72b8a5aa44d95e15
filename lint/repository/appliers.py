"""Finds who applies each file: the Flux Kustomizations of a repository, from the roots down.

A Kustomization is followed in the form that its own parents give it. One that nothing in the
repository applies is taken as written: someone applied it by hand, or the bootstrap did.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from celvet.lint.kustomize.resource import Resource, SourcePlace
from celvet.lint.manifest.objects.held import holds_object, holds_text
from celvet.lint.manifest.objects.resourceset import is_resource_set, takes_inputs
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.repository.applications import Application, Applications, FollowedObject
from celvet.lint.repository.apply_sites import ApplySites
from celvet.lint.repository.builds import Entry, KustomizationBuilder, transform
from celvet.lint.repository.files import FileObject, Files
from celvet.lint.repository.instance import Instance, Template, changing_fields
from celvet.lint.repository.template_objects import build_template, stand_in_objects
from celvet.lint.values import get, group_kind_of, mapping_at, text_at
from celvet.schemas.applier import appliers

_MOST_SETTLING = 6
"""How often an object may apply itself until that changes nothing more."""

_MOST_FOLLOWED = 100_000
"""The most objects to follow, one for each application; beyond, nothing is known of any file."""


def find_applications(files: Files, patch_files: Collection[str] = ()) -> Applications:
    """The applications of all files."""
    builder = KustomizationBuilder(files)
    found = Applications(files, ApplySites(files, builder))
    if found.complete:
        _Appliers(files, patch_files, builder, found).follow()
    return found


class _UnbuiltTemplate(NamedTuple):
    """A ResourceSet in a form that may build more than the repository shows."""

    file_object: FileObject
    resource: Resource


class _Appliers:
    """Follows the objects that apply files, and records in `found` what they apply."""

    def __init__(
        self,
        files: Files,
        patch_files: Collection[str],
        builder: KustomizationBuilder,
        found: Applications,
    ) -> None:
        self._files, self._patch_files = files, patch_files
        self._builder, self._applications, self._sites = builder, found, found.sites
        self._kinds = {GroupKind(each.group, each.kind): each for each in appliers()}
        self._directories: set[str] = set()
        self._object_count = 0
        self._forms: dict[SourcePlace, list[Resource]] = {}
        self._objects = list(self._find_objects())
        self._in_file: dict[str, list[FileObject]] = {}
        for each in self._objects:
            self._in_file.setdefault(each.file, []).append(each)

    def follow(self) -> None:
        """Follow the objects that nothing applies, then those that only apply each other."""
        whole = self._applications.has_all_appliers
        roots = self._roots()
        self._applications.roots = frozenset(each.place for each in roots)
        self._sites.uncertain.clear()
        self._applications.has_all_appliers = whole
        self._apply(roots)
        followed = {*self._forms, *(each.place for each in roots)}
        self._apply([each for each in self._objects if each.place not in followed])
        self._apply_by_hand()

    def _find_objects(self) -> Iterator[FileObject]:
        """An object that applies files, and the ResourceSets that build it."""
        for name in self._files.files_with(*(kind.group.encode() for kind in self._kinds)):
            if name in self._patch_files:
                continue
            self._applications.has_all_appliers &= self._files.is_readable(name)
            patching = self._files.kustomization(posixpath.dirname(name)) == name
            for each in self._files.objects(name):
                if group_kind_of(each.value) in self._kinds:
                    yield each
                elif not patching and self._holds_applier(each.value):
                    if is_resource_set(each.value):
                        yield each
                    else:
                        self._applications.has_all_appliers = False

    def _holds_applier(self, value: Value) -> bool:
        return holds_object(value, self._kinds)

    def _roots(self) -> list[FileObject]:
        """The Kustomizations whose file no other one applies, by their literal paths."""
        reached: dict[str, set[int]] = {}
        for index, each in enumerate(self._objects):
            made = (it for it in self._written_instances(each) if isinstance(it, Instance))
            for directory in {self._sites.directory(it) for it in made}:
                if directory is None:
                    continue
                for entry in self._builder.build(directory).entries:
                    reached.setdefault(entry.file, set()).add(index)
        return [
            each
            for index, each in enumerate(self._objects)
            if not reached.get(each.file, set()) - {index}
        ]

    def _written_instances(self, file_object: FileObject) -> Iterator[Instance | _UnbuiltTemplate]:
        return self._instances(file_object, Resource(file_object.value))

    def _instances(
        self,
        file_object: FileObject,
        resource: Resource,
        by: Instance | None = None,
        applied: Sequence[Application] | None = None,
    ) -> Iterator[Instance | _UnbuiltTemplate]:
        """The objects by which one applies files: itself, or those that a ResourceSet builds."""
        if kind := self._kinds.get(group_kind_of(file_object.value)):
            yield Instance(file_object, kind, resource, by)
            return
        new = applied is None or self._is_new(file_object, resource)
        if not (new or takes_inputs(resource.value)):
            return
        entries = None if applied is None else [Entry(it.file, it.passes) for it in applied]
        made = build_template(file_object, resource, self._files, entries)
        self._object_count += len(made.objects)
        if not made.complete:
            yield _UnbuiltTemplate(file_object, resource)
        for each in made.objects:
            if kind := self._kinds.get(group_kind_of(each.value)):
                template = Template(file_object, resource)
                yield Instance(each, kind, Resource(each.value), by, template)
            elif self._holds_applier(each.value):
                yield _UnbuiltTemplate(each, Resource(each.value).with_unknown(("spec",)))

    def _record_unbuilt(self, made: Iterable[Instance | _UnbuiltTemplate]) -> Iterator[Instance]:
        """The instances; what is not built is recorded."""
        for each in made:
            if isinstance(each, Instance):
                yield each
            else:
                self._leave_unbuilt(*each)

    def _leave_unbuilt(self, file_object: FileObject, resource: Resource) -> None:
        """Record where a ResourceSet may apply and change files in unknown ways."""
        self._applications.has_all_appliers = False
        names = {name for kind in self._kinds.values() for name in changing_fields(kind)}
        if not any(holds_text(file_object.value, name) for name in names):
            return
        value = dict(resource.value)
        found = stand_in_objects(file_object, value) if resource.knows("spec") else ()
        kinds = ((each, self._kinds.get(group_kind_of(each.value))) for each in found)
        paths = {text_at(each.value, kind.path) for each, kind in kinds if kind}
        self._sites.uncertain.update(*map(self._sites.possible_directories, paths or [""]))

    def _apply(self, roots: Iterable[FileObject]) -> None:
        written = chain.from_iterable(map(self._written_instances, roots))
        queue = deque(map(self._settle, self._record_unbuilt(written)))
        while queue:
            instance = queue.popleft()
            if self._is_new(instance.file_object, instance.resource):
                self._applications.instances.append(instance)
                self._applications.has_all_appliers &= instance.resource.knows("metadata")
                queue.extend(self._children(instance))
            if self._object_count > _MOST_FOLLOWED:
                self._applications.complete = self._applications.has_all_appliers = False
                return

    def _is_new(self, file_object: FileObject, resource: Resource) -> bool:
        """Whether the object is new in this form; a known form applies nothing new."""
        forms = self._forms.setdefault(file_object.place, [])
        if any(_is_same(each, resource) for each in forms):
            return False
        forms.append(resource)
        return True

    def _settle(self, root: Instance) -> Instance:
        """A root that applies itself, in the form that it then keeps.

        The fields that it changes with each application are unknown.
        """
        unsettled: set[Path] = set()
        for _ in range(_MOST_SETTLING):
            found = self._self_applied_form(root)
            if found is None or _is_same(found, root.resource):
                return root
            unsettled |= _different_paths(found, root.resource)
            root = Instance(root.file_object, root.kind, found)
        return Instance(root.file_object, root.kind, root.resource.with_unknown(*sorted(unsettled)))

    def _self_applied_form(self, root: Instance) -> Resource | None:
        if root.template:
            return None
        own = (each for each in self._applications_by(root) if each.file == root.file_object.file)
        return next((transform(root.file_object.value, each.passes) for each in own), None)

    def _children(self, instance: Instance) -> Iterator[Instance]:
        """Record what an instance applies; yields those among it that apply further files."""
        above = {each.file_object.place for each in instance.chain}
        applied = self._applications_by(instance)
        for application in applied:
            self._applications.add(application)
            within = self._in_file.get(application.file, ())
            self._object_count += len(within)
            for each in within:
                if each.place in above:
                    continue
                resource = transform(each.value, application.passes)
                self._applications.add_object(FollowedObject(application, each.value, resource))
                if resource:
                    made = self._record_unbuilt(self._instances(each, resource, instance, applied))
                    yield from (it for it in made if it.file_object.place not in above)

    def _applications_by(self, instance: Instance) -> Sequence[Application]:
        directory = self._sites.directory(instance)
        if directory is None:
            self._applications.has_all_appliers = False
            return ()
        self._directories.add(directory)
        after = self._sites.transformers_after(instance)
        built = self._sites.build(instance, directory)
        remote_cluster = get(instance.resource.value, instance.kind.elsewhere)
        self._applications.has_all_appliers &= built.complete and not remote_cluster
        return [Application(instance, file, passes, after) for file, passes in built.entries]

    def _apply_by_hand(self) -> None:
        """Follow kustomizations that nothing applies or includes, as for `kubectl apply -k`."""
        tops = [each for each in self._files.directories() if self._files.kustomization(each)]
        builds = {each: self._builder.build(each) for each in tops}
        for directory in tops:
            if directory in self._builder.included_directories or directory in self._directories:
                continue
            for entry in builds[directory].entries:
                if not self._applications.is_applied(entry.file):
                    self._applications.add(Application(None, entry.file, entry.passes))


def _is_same(one: Resource, other: Resource) -> bool:
    return (one.value, one.unknown) == (other.value, other.unknown)


def _different_paths(one: Resource, other: Resource) -> set[Path]:
    """The fields of the metadata and the spec in which two forms of an object differ."""
    paths = {
        (name, key)
        for each in (one, other)
        for name, part in each.value.items()
        for key in mapping_at(part)
    }
    return {path for path in paths if get(one.value, path) != get(other.value, path)}
