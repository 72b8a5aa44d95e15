"""What is asked of an API server: kinds by their plurals, and what a report needs of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.model import GroupKind, ObjectRef
from celvet.lint.why.dependencies import dependency_references
from celvet.lint.why.held import checks_of, held_references
from celvet.lint.why.inputs.api import ApiRequest, ApiResource, JsonObject
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.roots.lacks import lacking_references
from celvet.lint.why.roots.sources import source_references
from celvet.lint.why.waits import applied, named_references, references
from celvet.schemas.live.waiter import waiters

MOST_SINGLE = 8
"""More objects of a kind in a namespace are listed."""

WORKLOADS = tuple(
    ApiResource(group, "v1", kind, guessed_plural(kind))
    for group, kind in (
        *(("apps", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet")),
        ("batch", "Job"),
        ("", "PersistentVolumeClaim"),
    )
)
"""The kinds that are searched for what a release has installed, beside those of its entries."""

BEHIND = (
    ApiResource("apps", "v1", "ReplicaSet", "replicasets"),
    ApiResource("", "v1", "Pod", "pods"),
    ApiResource("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
    ApiResource("", "v1", "Event", "events"),
)
"""What explains a workload."""

OWNED = tuple(item for item in WORKLOADS if item.kind in ("Deployment", "StatefulSet", "Job"))
"""The workloads that the operators of custom kinds make, of which pods come."""


def lists_in(
    namespaces: Collection[str],
    resources: Iterable[ApiResource],
    test: Callable[[JsonObject], bool],
) -> Iterator[ApiRequest]:
    """Lists of kinds in each namespace; in one list if there are more namespaces than a few."""
    for namespace in namespaces if len(namespaces) <= MOST_SINGLE else ("",):
        yield from (ApiRequest(resource, namespace, test=test) for resource in resources)


def is_owned(item: JsonObject) -> bool:
    """Whether another object owns one."""
    return bool(item["metadata"].get("ownerReferences"))


def covered_kinds(waiter: LiveWaiter) -> Iterator[GroupKind]:
    """The kinds that an expression may read."""
    for check in checks_of(waiter):
        yield resource_of(*check.objects).group_kind
    for reference in dependency_references(waiter):
        yield reference.group_kind


def references_of(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """The objects that an unready waiter may be held up by."""
    yield from source_references(waiter)
    yield from lacking_references(waiter)
    if waiter.cause == "dependency":
        yield from dependency_references(waiter)
    elif waiter.cause == "deletion":
        yield from applied(waiter)
    elif waiter.kind.is_foreign:
        yield from held_references(waiter)
    elif waiter.cause == "health" or waiter.ready:
        yield from references(waiter)
        yield from named_references(waiter)


def resource_of(api_version: str, kind: str, *, namespaced: bool = True) -> ApiResource:
    """The kind as the API server serves it, by its usual plural."""
    group, _, version = api_version.rpartition("/")
    waiter_kind = waiters().get((group, kind))
    return ApiResource(
        group,
        version,
        kind,
        waiter_kind.plural if waiter_kind else guessed_plural(kind),
        namespaced,
    )
