"""Brings the reports in a cluster up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from celvet.lint.values import text_at
from celvet.lint.why.inputs.api import Api, ApiResource, ClusterError, JsonObject, UnservedError
from celvet.lint.why.reports.documents import REPORT_KINDS, WHY, labels_of
from celvet.record import record

_COMPARED = ("summary", "results")


class WritingApi(Api, Protocol):
    """Also writes objects; each call may raise `ClusterError`."""

    def apply(self, resource: ApiResource, obj: JsonObject) -> None:
        """Create an object, or make it as it is here."""

    def delete(self, resource: ApiResource, namespace: str, name: str) -> None:
        """Delete an object, if it is still there."""


@record
class WrittenReports:
    """How many reports there are now, and how many of them were written or removed."""

    count: int
    written: int
    removed: int

    def __str__(self) -> str:
        return f"{self.count} reports: {self.written} written, {self.removed} removed"


def write_reports(
    api: WritingApi,
    group: str,
    documents: Mapping[str, JsonObject],
    covers: Callable[[str], bool],
    name: str = WHY,
) -> WrittenReports:
    """Write what differs, and remove what is no longer wrong, in covered namespaces."""
    written = removed = 0
    kinds = REPORT_KINDS[group]
    present = {
        text_at(obj, ("metadata", "namespace")): obj
        for kind in kinds
        if kind.namespaced or covers("")
        for obj in _present(api, kind, name, needed=kind.namespaced or "" in documents)
    }
    for namespace, document in documents.items():
        old = present.get(namespace)
        if covers(namespace) and (
            old is None or any(old.get(key) != document[key] for key in _COMPARED)
        ):
            api.apply(kinds[not namespace], document)
            written += 1
    for namespace, obj in present.items():
        if covers(namespace) and namespace not in documents:
            api.delete(kinds[not namespace], namespace, text_at(obj, ("metadata", "name")))
            removed += 1
    return WrittenReports(sum(map(covers, documents)), written, removed)


def _present(api: Api, kind: ApiResource, name: str, *, needed: bool) -> Iterator[JsonObject]:
    try:
        yield from api.list(kind, labels=labels_of(name))
    except UnservedError:
        if not needed:
            return
        raise ClusterError(
            f"the API server has no {kind.plural}.{kind.group}: install their CRD, or choose the"
            " other group"
        ) from None
