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


def named(entry: Value, resource: Resource) -> ObjectName:
    """The object that an entry names, by default in the namespace of its owner."""
    namespace = text_at(entry, ("namespace",)) or resource.identity.namespace
    return ObjectName(namespace, text_at(entry, ("name",)))


def dependencies(resource: Resource, path: Path, *, built_in: bool = False) -> Iterator[ObjectName]:
    """The names of what an object depends on; if `built_in`, only by the built-in test.

    An entry with its own test may pass while the other object still waits.
    """
    for entry in list_at(resource.value, path):
        if isinstance(entry, dict) and not (built_in and entry.keys() - _REFERENCE):
            yield named(entry, resource)


def find_loops(nodes: Iterable[tuple[ObjectName, Sequence[ObjectName]]]) -> Dependencies:
    """The objects that may depend on themselves; the last one of a name counts.

    Most objects are in no cycle. They are left out first, so that not every search walks all of
    them again.
    """
    from graphlib import CycleError, TopologicalSorter

    found: Dependencies = {}
    sorter: TopologicalSorter[ObjectName] = TopologicalSorter()
    for name, needed in nodes:
        found[name] = needed
        sorter.add(name, *needed)
    with suppress(CycleError):
        sorter.prepare()
    while ready := sorter.get_ready():
        sorter.done(*ready)
        for name in ready:
            found.pop(name, None)
    return found


def find_cycle(
    goal: ObjectName, first: Iterable[ObjectName], known: Mapping[ObjectName, Sequence[ObjectName]]
) -> list[ObjectName]:
    """The shortest way from the first dependencies of an object to itself; empty without one.

    `known` are the objects of the same cluster that may be on the way.
    """
    before: dict[ObjectName, ObjectName | None] = {}
    queue: deque[tuple[ObjectName, ObjectName | None]] = deque()
    queue.extend((each, None) for each in first)
    while queue:
        name, last = queue.popleft()
        if name in before or name not in known:
            continue
        before[name] = last
        if name == goal:
            return _way(before, goal)
        queue.extend((each, name) for each in known[name])
    return []


def _way(before: dict[ObjectName, ObjectName | None], goal: ObjectName) -> list[ObjectName]:
    way, at = [goal], before[goal]
    while at is not None:
        way.append(at)
        at = before[at]
    return way[::-1]
