"""The objects of files as the cluster gets them, with their references and names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import TypeAlias

from celvet.lint.checks import Check, CheckedObject, Waiting, check_value
from celvet.lint.checks.timing import Timing, timing
from celvet.lint.checks.waiting import waiting
from celvet.lint.engine import Settings
from celvet.lint.go.durations import duration
from celvet.lint.graph.clock import QueueWaiter
from celvet.lint.graph.faults import failure_reasons
from celvet.lint.graph.nodes import Edge
from celvet.lint.kustomize.resource import ObjectName, Resource
from celvet.lint.model import GroupKind, Path
from celvet.record import record, replace
from celvet.schemas import Kind

Key: TypeAlias = tuple[GroupKind, ObjectName]


@record(slots=False)
class GraphObject:
    """An object of the files in one of its forms, with its references to others.

    `owner` is the object that applies it, None if there is none. `cluster` identifies the objects
    that may be in the same cluster, see `NodeNames`.
    """

    node: int
    kind: Kind
    resource: Resource
    cluster: str
    owner: GraphObject | None
    settings: Settings

    @cached_property
    def checked(self) -> CheckedObject:
        """The object with its checks, in the form that the cluster gets."""
        checked_object = check_value(dict(self.resource.value), self.settings.catalog)
        return replace(checked_object, schemas=self.settings.crds, fixes=False)

    @cached_property
    def waiting(self) -> Waiting | None:
        """What its controller waits for; None if the repository does not show it."""
        return self.written_waiting if self.resource.knows("spec") else None

    @cached_property
    def written_waiting(self) -> Waiting | None:
        """What its controller waits for unless something that is not here changes its `spec`."""
        waits = bool(self.kind.waits or self.kind.wait_exceptions)
        return waiting(self.resource.value, self.kind) if waits else None

    @cached_property
    def timing(self) -> Timing:
        """How often its controller checks, and how long it waits."""
        return timing(self.resource.value, self.kind)

    @cached_property
    def entries(self) -> dict[GroupKind, Check]:
        """The checks of the life of objects, by the kind that they name."""
        return {check.named: check for check in self.checked.health()}

    def entry(self, kind: GroupKind) -> Check | None:
        """The check that judges objects of a kind; an entry may be for a whole group."""
        return self.entries.get(kind) or self.entries.get(GroupKind(kind.group, ""))

    @cached_property
    def failure_reasons(self) -> Mapping[Path, str]:
        """Why its checks never succeed, by their paths."""
        if not self.resource.knows("spec"):
            return {}
        all_rules = replace(self.settings, severities={})
        return failure_reasons(self.checked, all_rules)


class NodeNames:
    """The nodes by their names in each cluster.

    A repository may describe several clusters, with the same names in each. Objects belong together
    if one of them applies the others, or if their parents are in the same directory.
    """

    def __init__(self) -> None:
        self._in_cluster: dict[tuple[Hashable, Key], list[tuple[int, int | None]]] = {}
        self._roots: dict[Key, list[int]] = {}

    def add(self, node: int, key: Key, cluster: str, owner: int | None) -> None:
        """Add a node, with the one that applies it (None if nothing does)."""
        self._in_cluster.setdefault((cluster, key), []).append((node, owner))
        if owner is None:
            self._roots.setdefault(key, []).append(node)

    def find(self, key: Key, cluster: str, owner: int | None) -> int | None:
        """The node that a name means in a cluster; None if there is none, or several.

        If there are several, the one with the same `owner` is meant. Outside of the cluster, only
        an object that nothing applies counts, since it may be in any cluster.
        """
        candidates = self._in_cluster.get((cluster, key), [])
        nodes = [node for node, by in candidates if by == owner] or [node for node, _ in candidates]
        nodes = nodes or self._roots.get(key, [])
        return nodes[0] if len(nodes) == 1 else None


def clusters_of(
    objects: Sequence[GraphObject], edges: Sequence[Edge], numbers: Mapping[int, int]
) -> tuple[tuple[QueueWaiter, ...], ...]:
    """The objects whose controllers have queues, by cluster; `numbers` are those of the edges."""
    cluster_of = {numbers[obj.node]: obj.cluster for obj in objects}
    edges_from: dict[int, list[Edge]] = {}
    for edge in edges:
        # A wait that is only for existence ends at once, and one for another cluster is held by no
        # queue of this one.
        in_one = cluster_of.get(edge.source) == cluster_of.get(edge.target)
        if in_one and edge.source != edge.target and edge.test not in ("", "exists"):
            edges_from.setdefault(edge.source, []).append(edge)
    # An edge in a cycle, or to what never gets ready, blocks its source for ever, by its
    # dependencies or by its own wait.
    endless = {
        (edge.source, edge.relation == "depends on") for edge in edges if edge.cycle or edge.never
    }
    clusters: dict[str, list[QueueWaiter]] = {}
    for obj in objects:
        node, owner = numbers[obj.node], obj.owner and numbers.get(obj.owner.node)
        own_edges = edges_from.get(node, [])
        dependencies = [edge for edge in own_edges if edge.relation == "depends on"]
        # Flux asks for a dependency again after `--requeue-dependency`, 30s unless its flag says
        # otherwise.
        workers, requeue = obj.kind.queue or (1, "30s")
        waiter = QueueWaiter(
            node=node,
            pool=obj.kind.kind,
            workers=workers,
            requeue=duration(requeue) or timedelta(seconds=30),
            owner=owner if owner in cluster_of else None,
            dependencies=tuple(edge.target for edge in dependencies),
            waited=tuple(edge.target for edge in own_edges if edge.relation != "depends on"),
            waits=bool(obj.written_waiting and not obj.written_waiting.is_empty),
            timeout=obj.timing.timeout or timedelta(),
            retry=obj.timing.retry,
            instead_of=obj.timing.instead_of,
            blocked=(node, True) in endless,
            stuck=(node, False) in endless,
        )
        clusters.setdefault(obj.cluster, []).append(waiter)
    return tuple(tuple(map(_bootstrapped(cluster), cluster)) for cluster in clusters.values())


def _bootstrapped(cluster: Sequence[QueueWaiter]) -> Callable[[QueueWaiter], QueueWaiter]:
    """Lets a root begin without what it applies itself: the bootstrap has installed that before."""
    owners = {waiter.node: waiter.owner for waiter in cluster}

    def root_of(node: int) -> int:
        # Owners may apply each other; the walk ends where it comes back.
        nodes = {node}
        while (owner := owners[node]) is not None and owner not in nodes:
            nodes.add(node := owner)
        return node

    def without_own(waiter: QueueWaiter) -> QueueWaiter:
        if waiter.owner is not None:
            return waiter
        dependencies = tuple(n for n in waiter.dependencies if root_of(n) != waiter.node)
        return replace(waiter, dependencies=dependencies)

    return without_own
