"""Who applies which file: the Flux Kustomizations of a repository, from the roots downwards.

A Kustomization is followed as its own parents leave it. One that nobody in the repository applies
is taken as it is written: it was applied by hand, or by the bootstrap.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from celvet.lint.kustomize.resource import Resource, SourcePlace
from celvet.lint.kustomize.transformers import Transformer
from celvet.lint.manifest.objects.held import holds_object, holds_text
from celvet.lint.manifest.objects.resourceset import is_resource_set, takes_inputs
from celvet.lint.model import GroupKind, Value
from celvet.lint.repository.apply_sites import ApplySites
from celvet.lint.repository.builds import (
    Entry,
    KustomizationBuilder,
    effective,
    unknown,
)
from celvet.lint.repository.files import Declared, Files
from celvet.lint.repository.instance import (
    Instance,
    Template,
    changing,
)
from celvet.lint.repository.resource_sets import built, with_stand_ins
from celvet.lint.repository.variables import with_defaults
from celvet.lint.values import get, group_kind_of, text_at
from celvet.schemas.applier import appliers

_MOST_FOLLOWED = 100_000
"""Objects that are followed, counted for each application; beyond, nothing is known of any file."""

_MOST_APPLICATIONS = 100
"""Of a file; of one with more nothing is known."""


Passes: TypeAlias = tuple[tuple[Transformer, ...], ...]


class Application(NamedTuple):
    """How a file gets into the cluster: by whom, and through which transformers."""

    by: Instance | None
    passes: Passes


class _Followed(NamedTuple):
    """What became of an object on the way to those that it applies."""

    value: dict[str, Value]
    passes: Passes
    resource: Resource | None


class Applications:
    """The applications of all files.

    `instances` are all that apply something, `sites` tells where. They are `whole` if nothing else
    in the repository can bring in further ones.
    """

    def __init__(self, files: Files, patch_files: Collection[str] = ()) -> None:
        self._files, self._patch_files = files, patch_files
        self._builder = KustomizationBuilder(files)
        self.sites = ApplySites(files, self._builder)
        self._kinds = {GroupKind(each.group, each.kind): each for each in appliers()}
        self._of: dict[str, list[Application]] = {}
        self._directories: set[str] = set()
        self.instances: list[Instance] = []
        self.complete = self.whole = files.complete
        self._followed = 0
        self._forms: dict[SourcePlace, list[Resource]] = {}
        self._followed_in: dict[str, list[_Followed]] = {}
        self._in_file: dict[str, list[Declared]] = {}
        self._with_defaults = cache(self._read_with_defaults)
        if not self.complete:
            return
        self._declared = list(self._objects())
        for each in self._declared:
            self._in_file.setdefault(each.file, []).append(each)
        whole = self.whole
        roots = self._roots()
        self.sites.open.clear()
        self.whole = whole
        self._apply(roots)
        followed = {*self._forms, *(each.place for each in roots)}
        self._apply([each for each in self._declared if each.place not in followed])
        self._apply_by_hand()

    def of(self, file: str) -> Sequence[Application]:
        """The applications of a file; of one that nobody applies, as it is written."""
        found = self._of.get(file, ())
        if not self.complete or len(found) > _MOST_APPLICATIONS:
            return (Application(None, ((unknown,),)),)
        return found or (Application(None, ()),)

    def as_written(self, file: str, value: dict[str, Value]) -> dict[str, Value]:
        """An object of a file without the defaults of its variables, which a parent may set."""
        return next((raw for raw, read in self._with_defaults(file) if read == value), value)

    def _read_with_defaults(self, file: str) -> list[tuple[dict[str, Value], dict[str, Value]]]:
        """The objects of a file in which a variable stands, as they are written and as read."""
        if not self._files.may_hold(file, b"${"):
            return []
        values = (each.value for each in self._files.objects(file))
        return [(it, with_defaults(it)) for it in values if holds_text(it, "${")]

    def effective(self, file: str, value: dict[str, Value], passes: Passes) -> Resource | None:
        """An object of a file after the transformers of an application; None if one removes it."""
        for each in self._followed_in.get(file, ()):
            if each.passes is passes and _same(each.value, value):
                return each.resource
        return effective(value, passes)

    def maybe_applied(self, file: str) -> bool:
        """Whether somebody may apply a file and change it, and it cannot be told."""
        return any(not each or file.startswith(f"{each}/") for each in self.sites.open)

    def _objects(self) -> Iterator[Declared]:
        """What applies files, and the ResourceSets that build it."""
        for name in self._files.holding(*(kind.group.encode() for kind in self._kinds)):
            if name in self._patch_files:
                continue
            self.whole &= self._files.readable(name)
            patching = self._files.kustomization(posixpath.dirname(name)) == name
            for each in self._files.objects(name):
                if group_kind_of(each.value) in self._kinds:
                    yield each
                elif not patching and self._holds_applier(each.value):
                    if is_resource_set(each.value):
                        yield each
                    else:
                        self.whole = False

    def _holds_applier(self, value: Value) -> bool:
        return any(holds_object(value, it.group, it.kind) for it in self._kinds)

    def _roots(self) -> list[Declared]:
        """Those whose file no other one applies, by the paths that are written out."""
        reached: dict[str, set[int]] = {}
        for index, each in enumerate(self._declared):
            for directory in {self.sites.directory(it) for it in self._as_written(each)}:
                if directory is None:
                    continue
                for entry in self._builder.build(directory).entries:
                    reached.setdefault(entry.file, set()).add(index)
        return [
            each
            for index, each in enumerate(self._declared)
            if not reached.get(each.file, set()) - {index}
        ]

    def _as_written(self, declared: Declared) -> Iterator[Instance]:
        return self._instances(declared, Resource(declared.value))

    def _instances(
        self,
        declared: Declared,
        resource: Resource,
        by: Instance | None = None,
        applied: Iterable[Entry] | None = None,
    ) -> Iterator[Instance]:
        """What a form of an object applies files with: itself, or what a ResourceSet builds."""
        if kind := self._kinds.get(group_kind_of(declared.value)):
            yield Instance(declared, kind, resource, by)
            return
        new = applied is None or self._is_new(declared, resource)
        if not (new or takes_inputs(resource.value)):
            return
        made = built(declared, resource, self._files, applied)
        self._followed += len(made.objects)
        if not made.complete:
            self._leave_unbuilt(declared, resource)
        for each in made.objects:
            if kind := self._kinds.get(group_kind_of(each.value)):
                template = Template(declared, resource)
                yield Instance(each, kind, Resource(each.value), by, template)
            elif self._holds_applier(each.value):
                self._leave_unbuilt(each, Resource(each.value).not_known(("spec",)))

    def _leave_unbuilt(self, declared: Declared, resource: Resource) -> None:
        """Note where more than is known of a ResourceSet may apply files and change them."""
        self.whole = False
        names = {name for kind in self._kinds.values() for name in changing(kind)}
        if not any(holds_text(declared.value, name) for name in names):
            return
        value = dict(resource.value)
        found = with_stand_ins(declared, value) if resource.knows("spec") else ()
        kinds = ((each, self._kinds.get(group_kind_of(each.value))) for each in found)
        paths = {text_at(each.value, kind.path) for each, kind in kinds if kind}
        self.sites.open.update(*map(self.sites.maybe_below, paths or [""]))

    def _apply(self, roots: Iterable[Declared]) -> None:
        written = chain.from_iterable(map(self._as_written, roots))
        queue = deque(map(self._settled, written))
        while queue:
            instance = queue.popleft()
            if self._is_new(instance.declared, instance.resource):
                self.instances.append(instance)
                self.whole &= instance.resource.knows("metadata")
                queue.extend(self._children(instance))
            if self._followed > _MOST_FOLLOWED:
                self.complete = self.whole = False
                return

    def _is_new(self, declared: Declared, resource: Resource) -> bool:
        """Whether the same object was not met before in the same form: it applies nothing else."""
        forms = self._forms.setdefault(declared.place, [])
        if any((each.value, each.unknown) == (resource.value, resource.unknown) for each in forms):
            return False
        forms.append(resource)
        return True

    def _settled(self, root: Instance) -> Instance:
        """A root that applies itself, as its own patches leave it."""
        if root.template:
            return root
        for file, passes in self._applied(root):
            if file == root.declared.file:
                resource = effective(root.declared.value, passes)
                return Instance(root.declared, root.kind, resource or root.resource)
        return root

    def _children(self, instance: Instance) -> Iterator[Instance]:
        """Record what an instance applies; yields those among it that apply further files."""
        above = {each.declared.place for each in instance.chain}
        applied = [*self._applied(instance)]
        for file, passes in applied:
            known, within = self._of.setdefault(file, []), self._in_file.get(file, ())
            followed = self._followed_in.setdefault(file, [])
            if len(known) <= _MOST_APPLICATIONS:
                known.append(Application(instance, passes))
            self._followed += len(within)
            for each in within:
                if each.place in above:
                    continue
                resource = effective(each.value, passes)
                followed.append(_Followed(each.value, passes, resource))
                if resource:
                    made = self._instances(each, resource, instance, applied)
                    yield from (it for it in made if it.declared.place not in above)

    def _applied(self, instance: Instance) -> Iterator[Entry]:
        directory = self.sites.directory(instance)
        if directory is None:
            self.whole = False
            return
        self._directories.add(directory)
        after = self.sites.after(instance)
        built = self.sites.build(instance, directory)
        self.whole &= built.complete and not get(instance.resource.value, instance.kind.elsewhere)
        for entry in built.entries:
            yield Entry(entry.file, (*entry.passes, after))

    def _apply_by_hand(self) -> None:
        """The kustomizations that nobody applies and no other one includes: `kubectl apply -k`."""
        tops = [each for each in self._files.directories() if self._files.kustomization(each)]
        builds = {each: self._builder.build(each) for each in tops}
        for directory in tops:
            if directory in self._builder.included or directory in self._directories:
                continue
            for entry in builds[directory].entries:
                known = self._of.setdefault(entry.file, [])
                if all(each.by is None for each in known):
                    known.append(Application(None, entry.passes))


def _same(one: dict[str, Value], other: dict[str, Value]) -> bool:
    """Whether two objects were read from the same text at once; merely equal ones may differ."""
    return one.keys() == other.keys() and all(other[key] is each for key, each in one.items())
