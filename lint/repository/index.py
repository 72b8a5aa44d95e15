"""The effective objects of a repository: the objects of its files, as the cluster gets them."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path as FilePath
from typing import TypeAlias

from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
from celvet.lint.locate import Locator
from celvet.lint.manifest.objects.held import holds_object, holds_text
from celvet.lint.manifest.objects.patches import patch_files
from celvet.lint.model import GroupKind, ObjectRef, Path, Value, Where
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.appliers import applications
from celvet.lint.repository.builds import Build, effective, objects
from celvet.lint.repository.dependencies import Dependencies, cycle, dependencies, looped
from celvet.lint.repository.effective import Applied, Effective, Origin, Unset
from celvet.lint.repository.files import Declared, Files, files_of
from celvet.lint.repository.instance import Instance, reach
from celvet.lint.repository.sources import bootstrap, is_this
from celvet.lint.repository.variables import (
    Variables,
    is_exempt,
    reading,
    required,
    sources,
    variables,
    with_defaults,
)
from celvet.lint.values import get, group_kind_of, mapping_at, object_ref_of, text_at
from celvet.schemas.applier import applier


class Index:
    """The files below a directory and who applies them."""

    def __init__(self, root: FilePath) -> None:
        self.files = files_of(root)
        self._keeps_sources = cache(self._made_keeps_sources)
        self._loops = cache(self._made_loops)
        self._names_of = cache(self._made_names_of)
        self._variables = cache(self._made_variables)
        self._read = cache(self._made_read)

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
        """Who applies what."""
        return applications(self.files, self.patch_targets)

    @cached_property
    def patch_targets(self) -> Mapping[str, Mapping[str, str]]:
        """The files that are patches, with what each is for."""
        return _patch_targets(self.files) if self.files.complete else {}

    def effective(self, file: str, value: dict[str, Value]) -> Sequence[Effective]:
        """See `Surroundings`."""
        found = []
        for by, passes in self.applications.of(file):
            written = self._as_written(file, value) if by else value
            resource = self.applications.effective(file, written, passes)
            if resource is None:
                continue
            if by is None and self.applications.maybe_applied(file):
                resource = resource.not_known(())
            if by and holds_text(written, "${") and not self._keeps_sources(by):
                resource = resource.not_known(*reading(written))
            found.append(Effective(resource, by))
        return found or (Effective(Resource(value).not_known(())),)

    def is_unapplied(self, file: str) -> bool:
        """Whether no object of the repository certainly applies a file."""
        known = self._is_one and self.applications.complete
        found = self.applications
        return known and not found.is_applied(file) and not found.maybe_applied(file)

    def cycle(self, file: str, form: Effective, path: Path) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        kind = group_kind_of(form.resource.value)
        start = self._instance(file, form) if _applies(kind) else form.by
        if start is None:
            return ()
        goal = form.resource.identity
        first = [*dependencies(form.resource, path, built_in=True)]
        if not self._is_one:
            return cycle(goal, first, {goal: first})
        return cycle(goal, first, self._loops(kind, path).get(_cluster(start, form.by), {}))

    def names(self, file: str, form: Effective) -> Collection[ObjectName] | None:
        """See `Surroundings`; of an object that nothing here applies, the cluster is not known."""
        kind = group_kind_of(form.resource.value)
        start = self._instance(file, form) if _applies(kind) else form
        if start is None or start.by is None or not self._is_one or self._names is None:
            return None
        return self._names if _applies(kind) else self._names_of(kind)

    def others_named(self, name: str) -> Mapping[ObjectRef, ObjectName]:
        """See `Surroundings`; a name that a build changes is not looked for."""
        return {
            object_ref_of(form.resource.value): form.by.resource.identity
            for file in self.files.holding(name.encode())
            for each in self.files.objects(file)
            if text_at(each.value, ("metadata", "name")) == name
            for form in self.effective(file, each.value)
            if form.by and form.resource.identity.name == name
        }

    def applied(self, file: str, form: Effective) -> Collection[Applied] | None:
        """See `Surroundings`."""
        start = self._instance(file, form)
        built = self.applications.sites.certain(start) if start and self._is_one else None
        found = self._objects(start, built) if start and built else {None}
        return None if None in found else [*filter(None, found)]

    def seen(self, file: str, where: Where, form: Effective) -> Collection[Applied] | None:
        """See `Surroundings`.

        Each source has a root directory; for an object that nothing here applies, any may be meant.
        """
        value = dict(form.resource.value)
        named = group_kind_of(value)
        kind = applier(named.group, named.kind)
        declared = Declared(file, where.document, where.path, value)
        first = form.by is None or form.by.declared.place == declared.place
        if kind is None or (first and not text_at(value, kind.path).strip("./")):
            return None
        unsaved = Instance(declared, kind, form.resource, form.by)
        instance = self._instance(file, form) or unsaved
        built = self.applications.sites.built(instance)
        return [*filter(None, self._objects(instance, built))] if built else None

    def _objects(self, instance: Instance, built: Build) -> Collection[Applied | None]:
        """The objects of a build, with the variables of the instance."""
        substitution = self.applications.sites.substitution(instance)
        return objects(built, self.files, substitution)

    def dependants(self, file: str, form: Effective) -> Sequence[ObjectName]:
        """See `Surroundings`."""
        start = self._instance(file, form)
        return self._dependants.get((start.root, start.resource.identity), ()) if start else ()

    @cached_property
    def _dependants(self) -> Mapping[tuple[Instance, ObjectName], Sequence[ObjectName]]:
        """Who depends on whom below each root; names are only unique below a root."""
        found: dict[tuple[Instance, ObjectName], dict[ObjectName, None]] = {}
        for each in self.applications.instances:
            path = each.kind.dependencies
            if not each.resource.knows(*path):
                continue
            for name in dependencies(each.resource, path, built_in=True):
                found.setdefault((each.root, name), {})[each.resource.identity] = None
        return {key: [*names] for key, names in found.items()}

    def unset(self, file: str, form: Effective) -> Sequence[Unset]:
        """See `Surroundings`."""
        start = self._instance(file, form)
        if start is None or start.by is None or not self._is_one:
            return ()
        kept = all(map(self._keeps_keys, self._sources(start)))
        return self._unset.of(start) if kept else ()

    def _sources(self, instance: Instance) -> list[Declared]:
        """The ConfigMaps of the repository with variables of an instance."""
        found = sources(instance.resource, instance.kind.variables, self.files)
        return [each for each in found if each]

    def _made_keeps_sources(self, instance: Instance) -> bool:
        """Whether the ConfigMaps with its variables are in the cluster as they are in the files."""
        return all(map(self._keeps_data, self._sources(instance)))

    def _keeps_data(self, declared: Declared) -> bool:
        """Whether all who apply a ConfigMap leave its data as in its file."""
        file, value = declared.file, declared.value
        made = (
            self.applications.effective(file, value, passes)
            for by, passes in self.applications.of(file)
            if by
        )
        return all(
            each and each.knows("data") and each.value.get("data") == value["data"] for each in made
        )

    def _keeps_keys(self, declared: Declared) -> bool:
        """Whether the data of a ConfigMap has the same keys in the cluster as in its file."""
        written = mapping_at(declared.value, ("data",)).keys()
        forms = (each.resource for each in self.effective(declared.file, declared.value))
        return all(
            each.knows("data") and mapping_at(each.value, ("data",)).keys() == written
            for each in forms
        )

    def variables(self, file: str, names: Sequence[str]) -> Mapping[str, str]:
        """See `Surroundings`."""
        known = self._variables(file)
        return {name: known[name] for name in names if name in known}

    def origins(self, file: str, names: Sequence[str]) -> Mapping[str, Origin]:
        """See `Surroundings`; of several who apply the file, the first one is named."""
        by = self.applications.of(file)[0].by
        known = self.variables(file, names)
        return {name: self._origin(by, name) for name in known} if by else {}

    def _origin(self, by: Instance, name: str) -> Origin:
        title = object_ref_of(by.resource.value).title
        inline = (*by.kind.variables, "substitute")
        if name in mapping_at(by.resource.value, inline):
            path = (*inline, name)
            return Origin(title, by.resource.decided(*path) or by.declared.at(path))
        last = [each for each in self._sources(by) if name in mapping_at(each.value, ("data",))][-1]
        return Origin(title, last.at(("data", name)))

    def _made_variables(self, file: str) -> Mapping[str, str]:
        """The variables for which all who apply a file have the same value."""
        appliers = (by for by, _ in self.applications.of(file))
        first, *others = [self._certain(by) if by else {} for by in appliers]
        return {
            name: text
            for name, text in first.items()
            if all(each.get(name) == text for each in others)
        }

    def _as_written(self, file: str, value: dict[str, Value]) -> dict[str, Value]:
        """An object of a file before its variables got their values, which each parent may set."""
        return next((raw for raw, read in self._read(file) if value in read), value)

    def _made_read(self, file: str) -> list[tuple[dict[str, Value], list[dict[str, Value]]]]:
        """The objects of a file with a variable: as written, and in both ways to read it."""
        if not self.files.may_hold(file, b"${"):
            return []
        values = (each.value for each in self.files.objects(file))
        known = self._variables(file)
        return [
            (each, [with_defaults(each, {}), with_defaults(each, known)])
            for each in values
            if holds_text(each, "${")
        ]

    def _certain(self, instance: Instance) -> Mapping[str, str]:
        """The variables of an instance whose values the repository tells."""
        known = variables(instance.resource, instance.kind.variables, self.files)
        if known is None or not self._keeps_sources(instance):
            return {}
        return {name: known.values[name] for name in known.certain}

    @cached_property
    def _unset(self) -> _UnsetVariables:
        return _UnsetVariables(self.applications, self.files)

    @cached_property
    def _is_one(self) -> bool:
        """Whether this is certainly one repository: without git, there may be several."""
        return (self.files.root / ".git").exists()

    @cached_property
    def _names(self) -> frozenset[ObjectName] | None:
        """All names, in any cluster, since it is not known which root belongs to which cluster.

        Another source may add more, even if its path is also a directory of this one.
        """
        applications = self.applications
        if not applications.whole:
            return None
        above = {each.root for each in applications.instances if each.by}
        first = {bootstrap(each, self.files) for each in above}
        own = (is_this(each, self.files) for each in applications.instances)
        if None in first or not all(own):
            return None
        return frozenset({each for each in first if each}).union(
            each.resource.identity for each in applications.instances
        )

    def _instance(self, file: str, form: Effective) -> Instance | None:
        """The instance of a form, if it is unchanged; an editor's text may be newer."""
        found = self._instances.get(_key(file, form.resource, form.by))
        if found is None or found.resource is form.resource:
            return found
        here, there = (
            (each.resource.unknown, reach(found.kind, each.resource.value))
            for each in (form, found)
        )
        return found if here == there else None

    @cached_property
    def _instances(self) -> dict[Hashable, Instance]:
        found: dict[Hashable, Instance] = {}
        for each in self.applications.instances:
            found.setdefault(_key(each.declared.file, each.resource, each.by), each)
        return found

    def _made_loops(self, kind: GroupKind, path: Path) -> dict[_Cluster, Dependencies]:
        """The objects of a kind that may depend on themselves, in each cluster."""
        found = (
            ((each, Effective(each.resource, each.by)) for each in self.applications.instances)
            if _applies(kind)
            else ((each.by, each) for each in self._forms(kind, str(path[-1])) if each.by)
        )
        nodes: dict[_Cluster, list[tuple[ObjectName, Sequence[ObjectName]]]] = {}
        for start, form in found:
            if form.resource.knows("metadata") and form.resource.knows(*path):
                needed = [*dependencies(form.resource, path, built_in=True)]
                cluster = _cluster(start, form.by)
                nodes.setdefault(cluster, []).append((form.resource.identity, needed))
        return {cluster: looped(inside) for cluster, inside in nodes.items()}

    def _forms(self, kind: GroupKind, *words: str) -> Iterator[Effective]:
        """The forms of the objects of a kind, in files that have all these words as they are."""
        found = (self.files.holding(word.encode()) for word in (kind.group, *words))
        for file in sorted(set.intersection(*map(set, found))):
            for each in self.files.objects(file):
                if group_kind_of(each.value) == kind:
                    yield from self.effective(file, each.value)

    def _made_names_of(self, kind: GroupKind) -> frozenset[ObjectName] | None:
        """All names of objects of a kind, if nothing but a file can hold one.

        What applies files holds others only as patches.
        """
        for file in self.files.holding(kind.group.encode()):
            patching = self.files.kustomization(posixpath.dirname(file)) == file
            if not self.files.readable(file):
                return None
            for each in () if patching or file in self.patch_targets else self.files.objects(file):
                found = group_kind_of(each.value)
                whole = found == kind or _applies(found)
                inside = [*each.value.values()] if whole else each.value
                if not _applies(found) and holds_object(inside, kind.group, kind.kind):
                    return None
        forms = [each.resource for each in self._forms(kind)]
        names = frozenset(each.identity for each in forms)
        unknown = any("${" in "".join(each) for each in names)
        return None if unknown or not all(each.knows("metadata") for each in forms) else names

    def line(self, place: SourcePlace) -> str:
        """See `Surroundings`."""
        at = Locator(self.files.manifest(place.file)).place(place.where)
        return f"{place.file}, line {at.line}"


_Cluster: TypeAlias = tuple[Instance, str]
"""The root of what is in a cluster, which has names of its own, and where it sends objects."""


def _applies(kind: GroupKind) -> bool:
    return applier(kind.group, kind.kind) is not None


def _cluster(start: Instance, by: Instance | None) -> _Cluster:
    """The cluster of an instance, or of what it applies; `by` applies the object in question."""
    sent = (get(each.resource.value, each.kind.elsewhere) for each in by.chain) if by else ()
    return start.root, repr([each for each in sent if each])


def _key(file: str, resource: Resource, by: Instance | None) -> Hashable:
    return file, group_kind_of(resource.value), resource.identity, by


@lru_cache(maxsize=4)
def index_of(root: FilePath) -> Index:
    """The index of a directory; made once per process."""
    return Index(root)


def _patch_targets(files: Files) -> dict[str, Mapping[str, str]]:
    """The patch files of a repository, each with what the target of its first use names."""
    found: dict[str, Mapping[str, str]] = {}
    for name in files.holding(b"patch"):
        directory = posixpath.dirname(name)
        for each in files.objects(name) if files.kustomization(directory) == name else ():
            for file, target in patch_files(each.value):
                found.setdefault(posixpath.normpath(posixpath.join(directory, file)), target)
    return found


class _UnsetVariables:
    """The variables without a value or a default, by who applies the objects that read them.

    Values from an admission webhook are in no file. So nothing is reported if there may be one, if
    several Kustomizations lack the same name, or if another one has a value for it.
    """

    def __init__(self, applications: Applications, files: Files) -> None:
        self._applications, self._files = applications, files

    def of(self, instance: Instance) -> Sequence[Unset]:
        """The variables of an instance, each at the place where the first object reads it."""
        return self._all.get(instance, ())

    @cached_property
    def _all(self) -> Mapping[Instance, list[Unset]]:
        instances = self._applications.instances
        undone = {word.encode() for each in instances for word in each.kind.strict.undone}
        if not undone or self._files.holding(*undone):
            return {}
        known = {
            each: found
            for each in instances
            if (found := variables(each.resource, each.kind.variables, self._files))
        }
        lacking = {each: [*self._lacking(each, found)] for each, found in known.items()}
        times = Counter(one.name for found in lacking.values() for one in found)
        times.update(name for found in known.values() for name in found.values)
        return {
            each: [one for one in found if times[one.name] == 1] for each, found in lacking.items()
        }

    def _lacking(self, instance: Instance, known: Variables) -> Iterator[Unset]:
        """None if not all values are known; an object that may change in the build has none."""
        sites = self._applications.sites
        certain = instance.by and not instance.resource.unknown and known.complete
        build = sites.built(instance) if certain else None
        seen = {*known.values}
        for entry in build.entries if build else ():
            for each in self._files.objects(entry.file) if self._reads(entry.file) else ():
                resource = effective(each.value, entry.passes)
                if resource is None or resource.unknown or is_exempt(resource):
                    continue
                for name, path in required(resource.value):
                    if name not in seen:
                        seen.add(name)
                        yield Unset(name, resource.decided(*path) or each.at(path))

    def _reads(self, file: str) -> bool:
        return self._files.may_hold(file, b"${")
