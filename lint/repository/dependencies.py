"""Finds Flux Kustomizations that wait for each other below one root."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from celvet.lint.kustomize.resource import ObjectName, Resource
from celvet.lint.model import Path, Value
from celvet.lint.values import list_at, text_at

if TYPE_CHECKING:
    from celvet.lint.repository.instance import Instance

InstancesByName: TypeAlias = "dict[ObjectName, Instance]"

_REFERENCE = {"namespace", "name"}
"""The fields of an entry that say which object is meant; any other is a test."""


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


def looped(instances: Iterable[Instance]) -> InstancesByName:
    """The instances that may depend on themselves, by name; the last one of a name counts.

    Most instances are in no cycle. They are left out first, so that not every search walks all of
    them again.
    """
    from graphlib import CycleError, TopologicalSorter

    found: InstancesByName = {}
    sorter: TopologicalSorter[ObjectName] = TopologicalSorter()
    for each in instances:
        found[each.resource.identity] = each
        sorter.add(each.resource.identity, *_next(each))
    with suppress(CycleError):
        sorter.prepare()
    while ready := sorter.get_ready():
        sorter.done(*ready)
        for name in ready:
            found.pop(name, None)
    return found


def cycle(start: Instance, known: InstancesByName) -> list[ObjectName]:
    """The shortest way from an instance by its dependencies back to itself; empty without one.

    `known` are the instances below the same root that may be on the way.
    """
    goal = start.resource.identity
    before: dict[ObjectName, ObjectName | None] = {}
    queue: deque[tuple[ObjectName, ObjectName | None]] = deque()
    queue.extend((each, None) for each in _next(start))
    while queue:
        name, last = queue.popleft()
        if name in before or name not in known:
            continue
        before[name] = last
        if name == goal:
            return _way(before, goal)
        queue.extend((each, name) for each in _next(known[name]))
    return []


def _next(instance: Instance) -> Iterator[ObjectName]:
    return dependencies(instance.resource, instance.kind.dependencies, built_in=True)


def _way(before: dict[ObjectName, ObjectName | None], goal: ObjectName) -> list[ObjectName]:
    way, at = [goal], before[goal]
    while at is not None:
        way.append(at)
        at = before[at]
    return way[::-1]
