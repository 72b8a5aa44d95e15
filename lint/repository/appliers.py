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
from celvet.lint.repository.applications import Application, Applications, Followed
from celvet.lint.repository.apply_sites import ApplySites
from celvet.lint.repository.builds import Entry, KustomizationBuilder, effective
from celvet.lint.repository.files import Declared, Files
from celvet.lint.repository.instance import Instance, Template, changing
from celvet.lint.repository.resource_sets import built, with_stand_ins
from celvet.lint.values import get, group_kind_of, mapping_at, text_at
from celvet.schemas.applier import appliers

_MOST_SETTLING = 6
"""How often an object may apply itself until that changes nothing more."""

_MOST_FOLLOWED = 100_000
"""The most objects to follow, one for each application; beyond, nothing is known of any file."""


def applications(files: Files, patch_files: Collection[str] = ()) -> Applications:
    """The applications of all files."""
    builder = KustomizationBuilder(files)
    found = Applications(files, ApplySites(files, builder))
    if found.complete:
        _Appliers(files, patch_files, builder, found).follow()
    return found


class _Unbuilt(NamedTuple):
    """A ResourceSet in a form that may build more than the repository shows."""

    declared: Declared
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
        self._builder, self._found, self._sites = builder, found, found.sites
        self._kinds = {GroupKind(each.group, each.kind): each for each in appliers()}
        self._directories: set[str] = set()
        self._followed = 0
        self._forms: dict[SourcePlace, list[Resource]] = {}
        self._declared = list(self._objects())
        self._in_file: dict[str, list[Declared]] = {}
        for each in self._declared:
            self._in_file.setdefault(each.file, []).append(each)

    def follow(self) -> None:
        """Follow the objects that nothing applies, then those that only apply each other."""
        whole = self._found.whole
        roots = self._roots()
        self._found.roots = frozenset(each.place for each in roots)
        self._sites.open.clear()
        self._found.whole = whole
        self._apply(roots)
        followed = {*self._forms, *(each.place for each in roots)}
        self._apply([each for each in self._declared if each.place not in followed])
        self._apply_by_hand()

    def _objects(self) -> Iterator[Declared]:
        """An object that applies files, and the ResourceSets that build it."""
        for name in self._files.holding(*(kind.group.encode() for kind in self._kinds)):
            if name in self._patch_files:
                continue
            self._found.whole &= self._files.readable(name)
            patching = self._files.kustomization(posixpath.dirname(name)) == name
            for each in self._files.objects(name):
                if group_kind_of(each.value) in self._kinds:
                    yield each
                elif not patching and self._holds_applier(each.value):
                    if is_resource_set(each.value):
                        yield each
                    else:
                        self._found.whole = False

    def _holds_applier(self, value: Value) -> bool:
        return holds_object(value, self._kinds)

    def _roots(self) -> list[Declared]:
        """The Kustomizations whose file no other one applies, by their literal paths."""
        reached: dict[str, set[int]] = {}
        for index, each in enumerate(self._declared):
            made = (it for it in self._as_written(each) if isinstance(it, Instance))
            for directory in {self._sites.directory(it) for it in made}:
                if directory is None:
                    continue
                for entry in self._builder.build(directory).entries:
                    reached.setdefault(entry.file, set()).add(index)
        return [
            each
            for index, each in enumerate(self._declared)
            if not reached.get(each.file, set()) - {index}
        ]

    def _as_written(self, declared: Declared) -> Iterator[Instance | _Unbuilt]:
        return self._instances(declared, Resource(declared.value))

    def _instances(
        self,
        declared: Declared,
        resource: Resource,
        by: Instance | None = None,
        applied: Sequence[Application] | None = None,
    ) -> Iterator[Instance | _Unbuilt]:
        """The objects by which one applies files: itself, or those that a ResourceSet builds."""
        if kind := self._kinds.get(group_kind_of(declared.value)):
            yield Instance(declared, kind, resource, by)
            return
        new = applied is None or self._is_new(declared, resource)
        if not (new or takes_inputs(resource.value)):
            return
        entries = None if applied is None else [Entry(it.file, it.passes) for it in applied]
        made = built(declared, resource, self._files, entries)
        self._followed += len(made.objects)
        if not made.complete:
            yield _Unbuilt(declared, resource)
        for each in made.objects:
            if kind := self._kinds.get(group_kind_of(each.value)):
                template = Template(declared, resource)
                yield Instance(each, kind, Resource(each.value), by, template)
            elif self._holds_applier(each.value):
                yield _Unbuilt(each, Resource(each.value).not_known(("spec",)))

    def _recorded(self, made: Iterable[Instance | _Unbuilt]) -> Iterator[Instance]:
        """The instances; what is not built is recorded."""
        for each in made:
            if isinstance(each, Instance):
                yield each
            else:
                self._leave_unbuilt(*each)

    def _leave_unbuilt(self, declared: Declared, resource: Resource) -> None:
        """Record where a ResourceSet may apply and change files in unknown ways."""
        self._found.whole = False
        names = {name for kind in self._kinds.values() for name in changing(kind)}
        if not any(holds_text(declared.value, name) for name in names):
            return
        value = dict(resource.value)
        found = with_stand_ins(declared, value) if resource.knows("spec") else ()
        kinds = ((each, self._kinds.get(group_kind_of(each.value))) for each in found)
        paths = {text_at(each.value, kind.path) for each, kind in kinds if kind}
        self._sites.open.update(*map(self._sites.maybe_below, paths or [""]))

    def _apply(self, roots: Iterable[Declared]) -> None:
        written = chain.from_iterable(map(self._as_written, roots))
        queue = deque(map(self._settled, self._recorded(written)))
        while queue:
            instance = queue.popleft()
            if self._is_new(instance.declared, instance.resource):
                self._found.instances.append(instance)
                self._found.whole &= instance.resource.knows("metadata")
                queue.extend(self._children(instance))
            if self._followed > _MOST_FOLLOWED:
                self._found.complete = self._found.whole = False
                return

    def _is_new(self, declared: Declared, resource: Resource) -> bool:
        """Whether the object is new in this form; a known form applies nothing new."""
        forms = self._forms.setdefault(declared.place, [])
        if any(_is_same(each, resource) for each in forms):
            return False
        forms.append(resource)
        return True

    def _settled(self, root: Instance) -> Instance:
        """A root that applies itself, in the form that it then keeps.

        The fields that it changes with each application are unknown.
        """
        unsettled: set[Path] = set()
        for _ in range(_MOST_SETTLING):
            found = self._applied_by_itself(root)
            if found is None or _is_same(found, root.resource):
                return root
            unsettled |= _different(found, root.resource)
            root = Instance(root.declared, root.kind, found)
        return Instance(root.declared, root.kind, root.resource.not_known(*sorted(unsettled)))

    def _applied_by_itself(self, root: Instance) -> Resource | None:
        if root.template:
            return None
        own = (each for each in self._applied(root) if each.file == root.declared.file)
        return next((effective(root.declared.value, each.passes) for each in own), None)

    def _children(self, instance: Instance) -> Iterator[Instance]:
        """Record what an instance applies; yields those among it that apply further files."""
        above = {each.declared.place for each in instance.chain}
        applied = self._applied(instance)
        for application in applied:
            self._found.add(application)
            within = self._in_file.get(application.file, ())
            self._followed += len(within)
            for each in within:
                if each.place in above:
                    continue
                resource = effective(each.value, application.passes)
                self._found.add_followed(Followed(application, each.value, resource))
                if resource:
                    made = self._recorded(self._instances(each, resource, instance, applied))
                    yield from (it for it in made if it.declared.place not in above)

    def _applied(self, instance: Instance) -> Sequence[Application]:
        directory = self._sites.directory(instance)
        if directory is None:
            self._found.whole = False
            return ()
        self._directories.add(directory)
        after = self._sites.after(instance)
        built = self._sites.build(instance, directory)
        remote_cluster = get(instance.resource.value, instance.kind.elsewhere)
        self._found.whole &= built.complete and not remote_cluster
        return [Application(instance, file, passes, after) for file, passes in built.entries]

    def _apply_by_hand(self) -> None:
        """Follow kustomizations that nothing applies or includes, as for `kubectl apply -k`."""
        tops = [each for each in self._files.directories() if self._files.kustomization(each)]
        builds = {each: self._builder.build(each) for each in tops}
        for directory in tops:
            if directory in self._builder.included or directory in self._directories:
                continue
            for entry in builds[directory].entries:
                if not self._found.is_applied(entry.file):
                    self._found.add(Application(None, entry.file, entry.passes))


def _is_same(one: Resource, other: Resource) -> bool:
    return (one.value, one.unknown) == (other.value, other.unknown)


def _different(one: Resource, other: Resource) -> set[Path]:
    """The fields of the metadata and the spec in which two forms of an object differ."""
    paths = {
        (name, key)
        for each in (one, other)
        for name, part in each.value.items()
        for key in mapping_at(part)
    }
    return {path for path in paths if get(one.value, path) != get(other.value, path)}
