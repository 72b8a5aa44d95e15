"""Reads of a cluster what a report needs: who waits, and what those that are not ready wait for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from celvet.lint.model import GroupKind, ObjectRef, Value
from celvet.lint.values import group_kind_of, object_ref_of
from celvet.lint.why.dependencies import dependency_references
from celvet.lint.why.held import checks_of, held_objects
from celvet.lint.why.inputs.api import (
    Api,
    ApiAnswer,
    ApiRequest,
    ApiResource,
    ForbiddenError,
    JsonObject,
    UnservedError,
    answers,
)
from celvet.lint.why.inputs.requests import (
    BEHIND,
    MOST_SINGLE,
    OWNED,
    WORKLOADS,
    covered_kinds,
    is_owned,
    lists_in,
    references_of,
    resource_of,
)
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.inputs.slimming import explains, slim
from celvet.lint.why.kinds import defined_kinds, waiting_kinds
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.roots.relatives import spec_references
from celvet.lint.why.snapshot import Key, Snapshot, key_of
from celvet.lint.why.waits import waited_objects
from celvet.schemas import Catalog
from celvet.schemas.kind_files import is_built_in
from celvet.schemas.live.outlook import made_kinds
from celvet.schemas.live.waiter import WaiterKind, defined_waiters, waiters

_SECRET = GroupKind("", "Secret")
_MOST_ROUNDS = 8
_CONTROLLERS = {"app.kubernetes.io/part-of": "flux"}
"""The labels that `flux install` and Flux Operator put on the controllers, whose options count."""
_DEFINITION = ApiResource(
    "apiextensions.k8s.io",
    "v1",
    "CustomResourceDefinition",
    "customresourcedefinitions",
    namespaced=False,
)


def read_cluster(
    api: Api,
    catalog: Catalog,
    now: datetime,
    scope: ReadScope = ReadScope(),  # noqa: B008 - frozen
    progress: Callable[[str], None] = lambda _: None,
) -> Snapshot:
    """The objects that a report needs; raises `ClusterError` if the server does not answer."""
    reader = _Reader(api, catalog, now, progress, whole=scope.whole)
    reader.read(scope)
    return reader.snapshot()


def read_kinds(
    api: Api, catalog: Catalog, progress: Callable[[str], None] = lambda _: None
) -> Snapshot:
    """All objects of the kinds with expressions, and the definitions of custom kinds."""
    reader = _Reader(api, catalog, datetime.now(UTC), progress, whole=True)
    kinds = (
        ApiResource(kind.group, kind.versions[0], kind.kind, kind.plural)
        for kind in catalog.kinds
        if kind.plural
    )
    reader.ask(map(ApiRequest, (*kinds, _DEFINITION)))
    return reader.snapshot()


def read_object(api: Api, reference: ObjectRef, catalog: Catalog) -> Snapshot:
    """An object, and what may explain it if its kind is built in."""
    reader = _Reader(api, catalog, datetime.now(UTC), lambda _: None, whole=True)
    reader.read_object(reference)
    return reader.snapshot()


class _Reader:
    def __init__(
        self,
        api: Api,
        catalog: Catalog,
        now: datetime,
        progress: Callable[[str], None],
        *,
        whole: bool,
    ) -> None:
        self._whole = whole
        self._covered: set[GroupKind] = set()
        self._api = api
        self._catalog = catalog
        self._now = now
        self._progress = progress
        self._objects: dict[GroupKind, dict[Key, JsonObject]] = defaultdict(dict)
        self._asked: set[Key] = set()
        self._searched: set[Key] = set()
        self._unread = {_SECRET}
        self._served: dict[GroupKind, bool] = {}
        self._groups = frozenset[str]()
        self._notes: dict[str, None] = {}
        self._memory: dict[object, tuple[object, Any]] = {}

    def snapshot(self) -> Snapshot:
        """Everything that was read so far."""
        return Snapshot(self._objects, [*self._notes], frozenset(self._unread), self._memory)

    def read_object(self, reference: ObjectRef) -> None:
        """Read an object, and what is behind it."""
        self._fetch([reference])
        if is_built_in(*_parts(reference.group_kind)):
            self.ask(ApiRequest(resource, reference.namespace) for resource in BEHIND)

    def read(self, scope: ReadScope) -> None:
        """Read who waits, then in rounds what they wait for, then what explains it."""
        self.ask(
            ApiRequest(
                ApiResource(kind.group, kind.version, kind.kind, kind.plural),
                scope.namespace,
                test=lambda item: scope.covers(item["metadata"].get("namespace", "")),
            )
            for kind in self._kinds()
        )
        for _ in range(_MOST_ROUNDS):
            waiters = self._unready()
            self._covered.update(kind for waiter in waiters for kind in covered_kinds(waiter))
            all_references = {
                key_of(reference): reference
                for waiter in waiters
                for reference in references_of(waiter)
            }
            new = [reference for key, reference in all_references.items() if key not in self._asked]
            is_searching = self._search_labelled(waiters)
            if not (new or is_searching):
                break
            self._fetch(new)
        if self._unready():
            options = ApiRequest(WORKLOADS[0], labels=_CONTROLLERS).answer(dict, self._api)
            self._keep(options if isinstance(options, list) else ())  # else the defaults count
        self._explain()

    def _kinds(self) -> Iterator[WaiterKind]:
        """Flux's kinds, and those that wait of each other group that the cluster has."""
        groups = self._groups = self._api.groups()
        for kind in waiters().values():
            if kind.group in groups or not kind.is_foreign:
                yield kind
        self.ask(
            ApiRequest(ApiResource(source.group, source.version, source.kind, source.plural))
            for source, _ in defined_waiters()
            if source.group in groups
        )
        yield from defined_kinds(self.snapshot())

    def _unready(self) -> list[LiveWaiter]:
        snapshot = self.snapshot()
        kinds = waiting_kinds(snapshot)
        waiters = (
            LiveWaiter(obj, kind, self._catalog, snapshot, self._now)
            for (group, name), kind in kinds.items()
            for obj in self._objects.get(GroupKind(group, name), {}).values()
        )
        return [waiter for waiter in waiters if self._whole or not waiter.ready]

    def _fetch(self, references: Iterable[ObjectRef]) -> None:
        """Objects by their names; many of one kind by a list."""
        groups: dict[tuple[str, str, str], list[ObjectRef]] = defaultdict(list)
        for reference in references:
            self._asked.add(key_of(reference))
            if reference.group_kind != _SECRET:
                groups[reference.api_version, reference.kind, reference.namespace].append(reference)
        requests: list[ApiRequest] = []
        for (api_version, kind, namespace), several in groups.items():
            resource = resource_of(api_version, kind, namespaced=bool(namespace))
            names = {reference.name for reference in several}
            if len(names) <= MOST_SINGLE:
                requests += [ApiRequest(resource, namespace, name) for name in names]
            else:
                requests.append(ApiRequest(resource, namespace, test=partial(_is_named, names)))
        self.ask(requests)

    def _lacks(self, resource: ApiResource) -> bool:
        """Whether the API server does not know the group, so that there is no such object."""
        group = resource.group
        return bool(group and self._groups) and group not in self._groups

    def _is_served(self, resource: ApiResource, namespace: str) -> bool:
        """Whether a list of the kind can be read, so that an object not found is not there."""
        kind = resource.group_kind
        if kind not in self._served:
            try:
                next(iter(self._api.list(resource, namespace)), None)
                self._served[kind] = True
            except (ForbiddenError, UnservedError):
                self._served[kind] = False
        return self._served[kind]

    def _search_labelled(self, waiters: Iterable[LiveWaiter]) -> bool:
        """Read what waiters have installed and not listed yet, by the labels of their controllers.

        Tells whether there was a waiter for which nobody has searched yet.
        """
        requests: list[ApiRequest] = []
        for waiter in waiters:
            key = key_of(waiter.reference)
            late = waiter.kind.late_inventory and waiter.cause == "health"
            if late and key not in self._searched:
                self._searched.add(key)
                labels = waiter.kind.labels_of(waiter.reference.name, waiter.reference.namespace)
                entries = {check.objects for check in checks_of(waiter)}
                kinds = [*WORKLOADS, *(resource_of(*names) for names in entries if all(names))]
                requests += [ApiRequest(resource, labels=labels) for resource in kinds]
        self.ask(requests)
        return bool(requests)

    def _explain(self) -> None:
        """Pods, volumes and Events in the namespaces of what is not ready."""
        waiters = self._unready()
        workloads = {resource.group_kind for resource in WORKLOADS}
        items = [
            item
            for waiter in waiters
            if waiter.cause == "health"
            for item in (held_objects if waiter.kind.is_foreign else waited_objects)(waiter)
            if item.unsettled
        ]
        self._read_relatives(item.value for item in items if item.value is not None)
        unsettled = [item.reference for item in items] + [
            reference
            for waiter in waiters
            if waiter.cause == "dependency"
            for reference in dependency_references(waiter)
            if reference.group_kind in workloads
        ]
        own = {waiter.reference.namespace for waiter in waiters}
        own |= {reference.namespace for reference in unsettled}
        behind = {reference.namespace for reference in unsettled}
        for namespaces, resources in ((behind, BEHIND), (own - behind, BEHIND[-1:])):
            self.ask(lists_in(namespaces, resources, explains))

    def _read_relatives(self, objects: Iterable[Mapping[str, Value]]) -> None:
        """What the objects of custom kinds name, and what was made for them."""
        named: dict[Key, ObjectRef] = {}
        places: dict[ApiResource, set[str]] = defaultdict(set)
        for obj in objects:
            reference = object_ref_of(obj)
            kind = _parts(reference.group_kind)
            if not is_built_in(*kind):
                named |= {key_of(other): other for other in spec_references(obj, self._catalog)}
                for resource in (*OWNED, *(resource_of(*names) for names in made_kinds(*kind))):
                    places[resource].add(reference.namespace)
        self._fetch(other for key, other in named.items() if key not in self._asked)
        self.ask(
            request
            for resource, namespaces in places.items()
            for request in lists_in(namespaces, (resource,), is_owned)
        )

    def ask(self, requests: Iterable[ApiRequest]) -> None:
        """Read the objects of requests, and note what could not be read."""
        request_list = [*requests]
        if request_list:
            plurals = {request.resource.plural: None for request in request_list}
            self._progress(f"reading {', '.join(plurals)}")
        for request, answer in answers(request_list, self._shape, self._api):
            self._take(request, answer)

    def _take(self, request: ApiRequest, answer: ApiAnswer) -> None:
        resource = request.resource
        if isinstance(answer, ForbiddenError):
            self._skip(resource, answer)
        elif isinstance(answer, list) and (answer or not request.name):
            self._keep(answer)
        elif not (
            self._lacks(resource) or (request.name and self._is_served(resource, request.namespace))
        ):
            self._unread.add(resource.group_kind)

    def _skip(self, resource: ApiResource, error: Exception) -> None:
        self._unread.add(resource.group_kind)
        self._notes[f"{error}; skipped"] = None

    def _shape(self, item: JsonObject) -> JsonObject:
        """An object as it is kept."""
        is_covered = group_kind_of(item) in self._covered
        return item if self._whole else slim(item, covered=is_covered)

    def _keep(self, items: Iterable[JsonObject]) -> None:
        for item in items:
            reference = object_ref_of(item)
            self._objects[reference.group_kind][key_of(reference)] = item


def _is_named(names: Container[str], item: JsonObject) -> bool:
    return item["metadata"]["name"] in names


def _parts(kind: GroupKind) -> tuple[str, str]:
    return kind.group, kind.kind
