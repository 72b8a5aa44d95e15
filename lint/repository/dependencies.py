"""Which Flux Kustomizations wait for each other: the dependencies of those below one root."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from celvet.lint.kustomize.resource import Identity, Resource
from celvet.lint.model import Path
from celvet.lint.values import list_at, text_at

if TYPE_CHECKING:
    from celvet.lint.repository.appliers import Instance

Cluster: TypeAlias = "dict[Identity, Instance]"


def dependencies(resource: Resource, path: Path) -> Iterator[Identity]:
    """The names of what an object depends on by the built-in test.

    An entry with a `readyExpr` may hold whatever the other object waits for.
    """
    for entry in list_at(resource.value, path):
        if isinstance(entry, dict) and "readyExpr" not in entry:
            namespace = text_at(entry, ("namespace",)) or resource.identity.namespace
            yield Identity(namespace, text_at(entry, ("name",)))


def cycle(start: Instance, known: Cluster) -> list[Identity]:
    """The shortest way from an instance by its dependencies back to itself; empty without one.

    `known` are the instances below the same root.
    """
    goal = start.resource.identity
    before: dict[Identity, Identity | None] = {}
    queue: deque[tuple[Identity, Identity | None]] = deque((each, None) for each in _next(start))
    while queue:
        name, last = queue.popleft()
        if name in before or name not in known:
            continue
        before[name] = last
        if name == goal:
            return _way(before, goal)
        queue.extend((each, name) for each in _next(known[name]))
    return []


def _next(instance: Instance) -> Iterator[Identity]:
    return dependencies(instance.resource, instance.kind.dependencies)


def _way(before: dict[Identity, Identity | None], goal: Identity) -> list[Identity]:
    way, at = [goal], before[goal]
    while at is not None:
        way.append(at)
        at = before[at]
    return way[::-1]
