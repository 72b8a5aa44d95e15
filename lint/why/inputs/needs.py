"""What must be read to tell why an object is not ready."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.model import GroupKind, ObjectRef
from celvet.lint.why.dependencies import dependency_references
from celvet.lint.why.held import checks_of, held_references
from celvet.lint.why.inputs.api import Resource
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.roots.sources import source_references
from celvet.lint.why.waits import applied, references
from celvet.schemas.live.waiter import waiters


def covered_kinds(waiter: LiveWaiter) -> Iterator[GroupKind]:
    """The kinds that an expression may read."""
    for check in checks_of(waiter):
        yield resource_of(*check.objects).group_kind
    for reference in dependency_references(waiter):
        yield reference.group_kind


def needed_references(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """The objects that an unready waiter may be held up by."""
    yield from source_references(waiter)
    if waiter.cause == "dependency":
        yield from dependency_references(waiter)
    elif waiter.cause == "deletion":
        yield from applied(waiter)
    elif waiter.kind.is_foreign:
        yield from held_references(waiter)
    elif waiter.cause == "health" or waiter.ready:
        yield from references(waiter)


def resource_of(api_version: str, kind: str, *, namespaced: bool = True) -> Resource:
    """The kind as the API server serves it, by its usual plural."""
    group, _, version = api_version.rpartition("/")
    known = waiters().get((group, kind))
    return Resource(
        group, version, kind, known.plural if known else guessed_plural(kind), namespaced
    )
