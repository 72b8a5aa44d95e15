"""Finds who applies each file: the Flux Kustomizations of a repository, from the roots down.

A Kustomization is followed in the form that its own parents give it. One that nothing in the
repository applies is taken as written: someone applied it by hand, or the bootstrap did. It may
also be forgotten in a directory that is in no build. So it does not count for what the
Kustomization of a bootstrap applies, which is one that a FluxInstance makes or that applies itself.
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
from celvet.lint.repository.builds.build import Entry, transform
from celvet.lint.repository.builds.builder import KustomizationBuilder
from celvet.lint.repository.files import FileObject, Files
from celvet.lint.repository.instance import Instance, Template, changing_fields
from celvet.lint.repository.template_objects import (
    build_template,
    made_instances,
    maker_of,
    stand_in_objects,
)
from celvet.lint.values import get, group_kind_of, mapping_at, text_at
from celvet.schemas.applier import appliers, makers

_MOST_SETTLING = 6
"""How often an object may apply itself until that changes nothing more."""

_MOST_FOLLOWED = 100_000
"""The most objects to follow, one for each application; beyond, nothing is known of any file."""


def find_applications(files: Files, patch_files: Collection[str] = ()) -> Applications:
    """The applications of all files."""
    builder = KustomizationBuilder(files)
    applications = Applications(files, ApplySites(files, builder))
    if applications.complete:
        _Appliers(files, patch_files, builder, applications).follow()
    return applications


class _UnbuiltTemplate(NamedTuple):
    """A ResourceSet in a form that may build more than the repository shows."""

    file_object: FileObject
    resource: Resource


class _Appliers:
    """Follows the objects that apply files, and records in `applications` what they apply."""

    def __init__(
        self,
        files: Files,
        patch_files: Collection[str],
        builder: KustomizationBuilder,
        applications: Applications,
    ) -> None:
        self._files, self._patch_files = files, patch_files
        self._builder, self._applications, self._sites = builder, applications, applications.sites
        self._kinds = {GroupKind(applier.group, applier.kind): applier for applier in appliers()}
        self._directories: set[str] = set()
        self._object_count = 0
        self._settled_files: frozenset[str] = frozenset()
        self._forms: dict[SourcePlace, list[Resource]] = {}
        self._instances_at: dict[SourcePlace, list[Instance]] = {}
        self._objects = list(self._find_objects())
        self._in_file: dict[str, list[FileObject]] = {}
        for obj in self._objects:
            self._in_file.setdefault(obj.file, []).append(obj)

    def follow(self) -> None:
        """Follow the objects that nothing applies, then those that only apply each other."""
        # The search for the roots looks at the paths as they are written. What it finds uncertain
        # may become certain in the form that the parents give.
        has_all_appliers = self._applications.has_all_appliers
        bootstraps, other_roots = self._roots()
        roots = [*bootstraps, *other_roots]
        self._applications.roots = frozenset(root.place for root in roots)
        self._sites.uncertain.clear()
        self._applications.has_all_appliers = has_all_appliers

        self._apply(bootstraps)
        self._settled_files = self._applications.applied_files
        self._apply(other_roots)
        followed_places = {*self._forms, *(root.place for root in roots)}
        self._apply([obj for obj in self._objects if obj.place not in followed_places])
        self._apply_by_hand()

    def _find_objects(self) -> Iterator[FileObject]:
        """The objects that apply files, and the ResourceSets that build such objects.

        Any other object that holds one may hand it to the cluster in a way that is not followed.
        """
        words = (*(kind.group for kind in self._kinds), *(maker.word for maker in makers()))
        for name in self._files.files_with(*(word.encode() for word in words)):
            if name in self._patch_files:
                continue
            self._applications.has_all_appliers &= self._files.is_readable(name)
            patching = self._files.kustomization(posixpath.dirname(name)) == name
            for obj in self._files.objects(name):
                if group_kind_of(obj.value) in self._kinds or maker_of(obj.value):
                    yield obj
                # The patches in a kustomization hold objects too, but change them instead of
                # applying them.
                elif not patching and self._holds_applier(obj.value):
                    if is_resource_set(obj.value):
                        yield obj
                    else:
                        self._applications.has_all_appliers = False

    def _holds_applier(self, value: Value) -> bool:
        return holds_object(value, self._kinds)

    def _roots(self) -> tuple[list[FileObject], list[FileObject]]:
        """The objects of a bootstrap, and the others whose file no other one applies.

        Both by their literal paths.
        """
        targets: list[set[int]] = []
        numbers: dict[str, list[int]] = {}
        for index, obj in enumerate(self._objects):
            numbers.setdefault(obj.file, []).append(index)
        for obj in self._objects:
            instances = (
                instance
                for instance in self._written_instances(obj)
                if isinstance(instance, Instance)
            )
            # Who is a root depends only on the paths as written: patches of parents are not known
            # before there are roots.
            directories = {self._sites.directory(instance) for instance in instances}
            entries = chain.from_iterable(
                self._builder.build(directory).entries
                for directory in directories
                if directory is not None
            )
            targets.append({number for entry in entries for number in numbers.get(entry.file, ())})
        return _find_roots(self._objects, targets)

    def _written_instances(self, obj: FileObject) -> Iterator[Instance | _UnbuiltTemplate]:
        return self._instances(obj, Resource(obj.value))

    def _instances(
        self,
        obj: FileObject,
        resource: Resource,
        by: Instance | None = None,
        applications: Sequence[Application] | None = None,
    ) -> Iterator[Instance | _UnbuiltTemplate]:
        """The objects by which one applies files: itself, or those that a ResourceSet builds."""
        if kind := self._kinds.get(group_kind_of(obj.value)):
            yield Instance(obj, kind, resource, by)
            return
        if maker_of(obj.value):
            yield from made_instances(obj, resource, self._files, by)
            return
        # a known form builds nothing new, unless it takes inputs from what is applied with it
        is_new = applications is None or self._is_new(obj, resource)
        if not (is_new or takes_inputs(resource.value)):
            return
        entries = None
        if applications is not None:
            entries = [Entry(application.file, application.passes) for application in applications]
        template_objects = build_template(obj, resource, self._files, entries)
        self._object_count += len(template_objects.objects)
        if not template_objects.complete:
            yield _UnbuiltTemplate(obj, resource)
        for built_object in template_objects.objects:
            if kind := self._kinds.get(group_kind_of(built_object.value)):
                template = Template(obj, resource)
                yield Instance(built_object, kind, Resource(built_object.value), by, template)
            elif self._holds_applier(built_object.value):
                yield _UnbuiltTemplate(
                    built_object, Resource(built_object.value).with_unknown(("spec",))
                )

    def _record_unbuilt(
        self, instances: Iterable[Instance | _UnbuiltTemplate]
    ) -> Iterator[Instance]:
        """The instances; records the templates that may build more of them."""
        for instance in instances:
            if isinstance(instance, Instance):
                yield instance
            else:
                self._leave_unbuilt(*instance)

    def _leave_unbuilt(self, obj: FileObject, resource: Resource) -> None:
        """Record where a ResourceSet may apply and change files in unknown ways."""
        self._applications.has_all_appliers = False
        # without one of these fields, an object applies files as they are
        names = {name for kind in self._kinds.values() for name in changing_fields(kind)}
        if not any(holds_text(obj.value, name) for name in names):
            return
        value = dict(resource.value)
        stand_ins = stand_in_objects(obj, value) if resource.knows("spec") else ()
        kinds = (
            (stand_in, self._kinds.get(group_kind_of(stand_in.value))) for stand_in in stand_ins
        )
        paths = {text_at(stand_in.value, kind.path) for stand_in, kind in kinds if kind}
        self._sites.uncertain.update(*map(self._sites.possible_directories, paths or [""]))

    def _apply(self, roots: Iterable[FileObject]) -> None:
        instances = chain.from_iterable(map(self._written_instances, roots))
        queue = deque(map(self._settle, self._record_unbuilt(instances)))
        while queue:
            instance = queue.popleft()
            # The same form from a second parent applies the same files, so it is followed once; it
            # still counts as a root's.
            if self._is_new(instance.file_object, instance.resource):
                self._applications.instances.append(instance)
                self._instances_at.setdefault(instance.file_object.place, []).append(instance)
                self._applications.has_all_appliers &= instance.resource.knows("metadata")
                queue.extend(self._children(instance))
            else:
                self._add_root(instance)
            # With a part unfollowed, "nothing applies this file" could be wrong for any file.
            if self._object_count > _MOST_FOLLOWED:
                self._applications.complete = self._applications.has_all_appliers = False
                return

    def _is_new(self, obj: FileObject, resource: Resource) -> bool:
        """Whether the object is new in this form; a known form applies nothing new."""
        forms = self._forms.setdefault(obj.place, [])
        if any(_is_same(form, resource) for form in forms):
            return False
        forms.append(resource)
        return True

    def _add_root(self, repeated: Instance) -> None:
        """Record the root of an instance that is followed already in the same form."""
        further_roots = self._applications.further_roots
        for instance in self._instances_at.get(repeated.file_object.place, ()):
            is_elsewhere = instance.root is not repeated.root
            if is_elsewhere and _is_same(instance.resource, repeated.resource):
                further_roots.setdefault(instance, []).append(repeated.root)

    def _settle(self, root: Instance) -> Instance:
        """A root that applies itself, in the form that it then keeps.

        The fields that it changes with each application are unknown.
        """
        # each application may change a further field, and so what the next one does
        unstable_paths: set[Path] = set()
        for _ in range(_MOST_SETTLING):
            form = self._self_applied_form(root)
            if form is None or _is_same(form, root.resource):
                return root
            unstable_paths |= _different_paths(form, root.resource)
            root = Instance(root.file_object, root.kind, form)
        return Instance(
            root.file_object, root.kind, root.resource.with_unknown(*sorted(unstable_paths))
        )

    def _self_applied_form(self, root: Instance) -> Resource | None:
        if root.template:
            return None
        for application in self._applications_by(root):
            if application.file == root.file_object.file:
                return transform(root.file_object.value, application.passes)
        return None

    def _children(self, instance: Instance) -> Iterator[Instance]:
        """Record what an instance applies; yields those among it that apply further files."""
        ancestor_places = {ancestor.file_object.place for ancestor in instance.chain}
        applications = self._applications_by(instance)
        for application in applications:
            if application.file not in self._settled_files:
                self._applications.add(application)
            file_objects = self._in_file.get(application.file, ())
            self._object_count += len(file_objects)
            for obj in file_objects:
                # what applies itself, perhaps through others, would be followed without end
                if obj.place in ancestor_places:
                    continue
                resource = transform(obj.value, application.passes)
                self._applications.add_object(FollowedObject(application, obj.value, resource))
                if resource is None:
                    continue
                instances = self._instances(obj, resource, instance, applications)
                for child in self._record_unbuilt(instances):
                    if child.file_object.place not in ancestor_places:
                        yield child

    def _applications_by(self, instance: Instance) -> Sequence[Application]:
        directory = self._sites.directory(instance)
        if directory is None:
            self._applications.has_all_appliers = False
            return ()
        self._directories.add(directory)
        transformers = self._sites.transformers_after(instance)
        build = self._sites.build(instance, directory)
        remote_cluster = get(instance.resource.value, instance.kind.elsewhere)
        self._applications.has_all_appliers &= build.complete and not remote_cluster
        return [Application(instance, file, passes, transformers) for file, passes in build.entries]

    def _apply_by_hand(self) -> None:
        """Follow kustomizations that nothing applies or includes, as for `kubectl apply -k`."""
        tops = [
            directory
            for directory in self._files.directories()
            if self._files.kustomization(directory)
        ]
        builds = {directory: self._builder.build(directory) for directory in tops}
        for directory in tops:
            if directory in self._builder.included_directories or directory in self._directories:
                continue
            for entry in builds[directory].entries:
                if not self._applications.is_applied(entry.file):
                    self._applications.add(Application(None, entry.file, entry.passes))


def _find_roots(
    objects: Sequence[FileObject], targets: Sequence[Collection[int]]
) -> tuple[list[FileObject], list[FileObject]]:
    """The objects of a bootstrap, and the others whose file no other one applies.

    `targets` are the numbers of the objects in the files that each applies. A FluxInstance may be
    applied by what it makes.
    """
    appliers_of: list[set[int]] = [set() for _ in objects]
    for index, numbers in enumerate(targets):
        for number in numbers:
            appliers_of[number].add(index)
    bootstraps: list[FileObject] = []
    other_objects: list[FileObject] = []
    for index, obj in enumerate(objects):
        makes = bool(maker_of(obj.value))
        own_objects = _reached(index, targets) if makes and appliers_of[index] else {index}
        if not appliers_of[index] - own_objects:
            is_bootstrap = makes or index in appliers_of[index]
            (bootstraps if is_bootstrap else other_objects).append(obj)
    return bootstraps, other_objects


def _reached(start: int, targets: Sequence[Collection[int]]) -> set[int]:
    """The number of an object, and those of all that it applies."""
    reached_numbers, stack = {start}, [start]
    while stack:
        for number in targets[stack.pop()]:
            if number not in reached_numbers:
                reached_numbers.add(number)
                stack.append(number)
    return reached_numbers


def _is_same(resource: Resource, other_resource: Resource) -> bool:
    return (resource.value, resource.unknown) == (other_resource.value, other_resource.unknown)


def _different_paths(resource: Resource, other_resource: Resource) -> set[Path]:
    """The fields of the metadata and the spec in which two forms of an object differ."""
    paths = {
        (name, key)
        for form in (resource, other_resource)
        for name, part in form.value.items()
        for key in mapping_at(part)
    }
    return {path for path in paths if get(resource.value, path) != get(other_resource.value, path)}
