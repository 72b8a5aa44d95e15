"""Finds objects that wait for each other in one cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from celvet.lint.kustomize.resource import ObjectName, Resource
from celvet.lint.model import Path, Value
from celvet.lint.values import list_at, text_at

Dependencies: TypeAlias = dict[ObjectName, Sequence[ObjectName]]
"""What each object depends on."""

_REFERENCE = {"namespace", "name"}
"""The fields of an entry that identify the object; any other is a test."""


def referenced_name(entry: Value, resource: Resource) -> ObjectName:
    """The object that an entry names, by default in the namespace of its owner."""
    namespace = text_at(entry, ("namespace",)) or resource.identity.namespace
    return ObjectName(namespace, text_at(entry, ("name",)))


def dependencies(resource: Resource, path: Path, *, built_in: bool = False) -> Iterator[ObjectName]:
    """The names of what an object depends on; if `built_in`, only by the built-in test.

    An entry with its own test may pass while the other object still waits.
    """
    for entry in list_at(resource.value, path):
        if isinstance(entry, dict) and not (built_in and entry.keys() - _REFERENCE):
            yield referenced_name(entry, resource)


def find_loops(nodes: Iterable[tuple[ObjectName, Sequence[ObjectName]]]) -> Dependencies:
    """The objects that may depend on themselves; the last one of a name counts.

    Most objects are in no cycle. They are left out first, so that not every search walks all of
    them again.
    """
    from graphlib import CycleError, TopologicalSorter

    nodes_in_loops: Dependencies = {}
    sorter: TopologicalSorter[ObjectName] = TopologicalSorter()
    for name, names in nodes:
        nodes_in_loops[name] = names
        sorter.add(name, *names)
    with suppress(CycleError):
        sorter.prepare()
    # What has become ready depends on nothing that is left, so it is in no cycle (Kahn's
    # algorithm).
    while ready := sorter.get_ready():
        sorter.done(*ready)
        for name in ready:
            nodes_in_loops.pop(name, None)
    return nodes_in_loops


def find_cycle(
    goal: ObjectName,
    start: Iterable[ObjectName],
    dependencies_of: Mapping[ObjectName, Sequence[ObjectName]],
) -> list[ObjectName]:
    """The shortest way from the first dependencies of an object to itself; empty without one.

    `dependencies_of` has the objects of the same cluster that may be on the way.
    """
    predecessors: dict[ObjectName, ObjectName | None] = {}
    queue: deque[tuple[ObjectName, ObjectName | None]] = deque()
    queue.extend((name, None) for name in start)
    while queue:
        name, predecessor = queue.popleft()
        if name in predecessors or name not in dependencies_of:
            continue
        predecessors[name] = predecessor
        if name == goal:
            return _way(predecessors, goal)
        queue.extend((dependency, name) for dependency in dependencies_of[name])
    return []


def _way(predecessors: dict[ObjectName, ObjectName | None], goal: ObjectName) -> list[ObjectName]:
    way, at = [goal], predecessors[goal]
    while at is not None:
        way.append(at)
        at = predecessors[at]
    return way[::-1]
