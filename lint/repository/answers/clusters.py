"""The names in a cluster, and who waits for whom there."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import TypeAlias

from celvet.lint.kustomize.resource import ObjectName, Resource
from celvet.lint.manifest.objects.held import holds_object
from celvet.lint.model import GroupKind, Path
from celvet.lint.repository.answers.forms import Forms
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.dependencies import Dependencies, dependencies, find_loops
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.sources import bootstrap, has_this_source
from celvet.lint.values import get, group_kind_of
from celvet.schemas.applier import applier

_Cluster: TypeAlias = tuple[Instance, str]
"""The root of what is in a cluster, which has names of its own, and where it sends objects."""


class Clusters:
    """What the objects of a repository are called, and what they depend on."""

    def __init__(
        self, files: Files, applications: Applications, forms: Forms, patch_files: Collection[str]
    ) -> None:
        self._files, self._applications = files, applications
        self._forms, self._patch_files = forms, patch_files
        self._loops = cache(self._find_loops)
        self._names_of = cache(self._collect_names)
        self._has_name = cache(self._has_unchanged_name)

    def loops(
        self, kind: GroupKind, path: Path, start: Instance, by: Instance | None
    ) -> Dependencies:
        """The objects that may depend on themselves, in the cluster of an instance.

        `by` applies the object that depends on others, perhaps `start` itself.
        """
        return self._loops(kind, path).get(_cluster(start, by), {})

    def names_without(self, kind: GroupKind, name: ObjectName) -> Collection[ObjectName] | None:
        """All names of objects of a kind, if none has a name.

        None if one has it, or if the repository does not show all. Most names are found without
        reading all objects of the kind.
        """
        if self._has_name(kind, name) or self._instances is None:
            return None
        names = self._instances if applies(kind) else self._names_of(kind)
        return None if names is None or name in names else names

    def _has_unchanged_name(self, kind: GroupKind, name: ObjectName) -> bool:
        """Whether an object has a name that no build changes."""
        if applies(kind):
            return name in self._found_instances
        forms = self._forms.of_kind(kind, name.name)
        return any(form.resource.identity == name for form in forms)

    @cached_property
    def _found_instances(self) -> frozenset[ObjectName]:
        return frozenset(instance.resource.identity for instance in self._applications.instances)

    @cached_property
    def _instances(self) -> frozenset[ObjectName] | None:
        """All names of instances, in any cluster, since no root shows to which one it belongs.

        Another source may add more, even if its path is also a directory of this one.
        """
        applications = self._applications
        if not applications.has_all_appliers:
            return None
        roots = {instance.root for instance in applications.instances if instance.by}
        bootstrap_names = {bootstrap(root, self._files) for root in roots}
        from_here = (has_this_source(instance, self._files) for instance in applications.instances)
        if None in bootstrap_names or not all(from_here):
            return None
        return self._found_instances.union(name for name in bootstrap_names if name)

    def _find_loops(self, kind: GroupKind, path: Path) -> dict[_Cluster, Dependencies]:
        """The objects of a kind that may depend on themselves, in each cluster."""
        pairs: Iterable[tuple[Instance | None, ObjectForm]]
        if applies(kind):
            instances = self._applications.instances
            pairs = ((start, ObjectForm(start.resource, start.by)) for start in instances)
        else:
            pairs = ((form.by, form) for form in self._forms.of_kind(kind, str(path[-1])))
        nodes: dict[_Cluster, list[tuple[ObjectName, Sequence[ObjectName]]]] = {}
        for start, form in pairs:
            if start is None:
                continue  # nothing here applies it, so its cluster is not known
            # A dependency that a parent may change, or an object that it may rename, makes no
            # certain cycle.
            if form.resource.knows("metadata") and form.resource.knows(*path):
                names = [*dependencies(form.resource, path, built_in=True)]
                cluster = _cluster(start, form.by)
                nodes.setdefault(cluster, []).append((form.resource.identity, names))
        return {cluster: find_loops(cluster_nodes) for cluster, cluster_nodes in nodes.items()}

    def _collect_names(self, kind: GroupKind) -> frozenset[ObjectName] | None:
        """All names of objects of a kind, if nothing but a file can hold one.

        What applies files holds others only as patches.
        """
        files = self._files
        for file in files.files_with(kind.group.encode()):
            patching = files.kustomization(posixpath.dirname(file)) == file
            if not files.is_readable(file):
                return None
            # a patch names the object that it changes, and adds none
            for obj in () if patching or file in self._patch_files else files.objects(file):
                object_kind = group_kind_of(obj.value)
                # an object of the kind is found by its form; only others in it are hidden
                parts = [*obj.value.values()] if object_kind == kind else obj.value
                if not applies(object_kind) and holds_object(parts, (kind,)):
                    return None
        forms = [form.resource for form in self._forms.of_kind(kind)]
        names = frozenset(resource.identity for resource in forms)
        if any("${" in "".join(name) for name in names):
            return None
        return names if all(resource.knows("metadata") for resource in forms) else None

    def dependants(self, instance: Instance) -> Sequence[ObjectName]:
        """Who depends on an instance by the built-in test."""
        name = instance.resource.identity
        keys = ((scope, name) for scope in self._scopes(instance))
        return [*dict.fromkeys(chain.from_iterable(self._dependants.get(key, ()) for key in keys))]

    def peers(self, instance: Instance) -> Sequence[tuple[Resource, int]]:
        """The objects in the same scope on which others depend, and how many do, the most first."""
        return self._peers[_scope(instance)]

    @cached_property
    def _peers(self) -> Mapping[Hashable, Sequence[tuple[Resource, int]]]:
        peers: dict[Hashable, list[tuple[Resource, int]]] = {}
        for instance in self._applications.instances:
            scope_peers = peers.setdefault(_scope(instance), [])
            if count := len(self.dependants(instance)):
                scope_peers.append((instance.resource, count))
        for scope_peers in peers.values():
            scope_peers.sort(key=lambda peer: (-peer[1], peer[0].identity))
        return peers

    @cached_property
    def _dependants(self) -> Mapping[tuple[Hashable, ObjectName], Iterable[ObjectName]]:
        """Who depends on whom; names are only unique in a scope."""
        dependants: dict[tuple[Hashable, ObjectName], dict[ObjectName, None]] = {}
        for instance in self._applications.instances:
            path = instance.kind.dependencies
            if not instance.resource.knows(*path):
                continue
            for name in dependencies(instance.resource, path, built_in=True):
                for scope in self._scopes(instance):
                    names = dependants.setdefault((scope, name), {})
                    names[instance.resource.identity] = None
        return dependants

    def _scopes(self, instance: Instance) -> Iterator[Hashable]:
        """Where names are unique: below a root and, for roots, in a directory.

        Several roots may apply an instance, or what applies it, in the same form.
        """
        for ancestor in instance.chain:
            yield from self._applications.further_roots.get(ancestor, ())
        yield instance.root
        if instance.by is None:
            yield _scope(instance)
        elif instance.root in self._joined_roots:
            yield "joined", self._joined_roots[instance.root]

    @cached_property
    def _joined_roots(self) -> Mapping[Instance, Hashable]:
        """The roots that depend on others in their directory, or these on them, with their group.

        They are in one cluster, and so is what they apply.
        """
        roots = [instance for instance in self._applications.instances if instance.by is None]
        groups: dict[Hashable, list[Hashable]] = {}
        for root in roots:
            for name in dependencies(root.resource, root.kind.dependencies, built_in=True):
                keys = ((_scope(root), key) for key in (root.resource.identity, name))
                smaller, larger = sorted((groups.setdefault(key, [key]) for key in keys), key=len)
                if smaller is not larger:
                    larger += smaller
                    groups.update((key, larger) for key in smaller)
        root_keys = {root: (_scope(root), root.resource.identity) for root in roots}
        return {root: groups[key][0] for root, key in root_keys.items() if key in groups}


def _scope(instance: Instance) -> Hashable:
    """The widest scope of an instance.

    A bootstrap that the repository does not show applies the roots of a directory together.
    """
    return instance.root if instance.by else posixpath.dirname(instance.file_object.file)


def applies(kind: GroupKind) -> bool:
    """Whether objects of a kind apply files."""
    return applier(*kind) is not None


def _cluster(start: Instance, by: Instance | None) -> _Cluster:
    """The cluster of an instance, or of what it applies."""
    chain = by.chain if by else ()
    remote_clusters = (get(instance.resource.value, instance.kind.elsewhere) for instance in chain)
    return start.root, repr([*filter(None, remote_clusters)])
