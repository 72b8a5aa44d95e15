"""Lints the objects in a cluster, each as a file that is named after it and who applied it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.crds.schema import KnownSchemas, LayeredSchemas, by_kind, of_definition
from celvet.lint.engine import Settings, lint_text
from celvet.lint.model import Severity, Value
from celvet.lint.report.report import FileReport, Report, file_report, report
from celvet.lint.safe_text import yaml_text
from celvet.lint.values import drop, list_at, object_ref_of, text_at
from celvet.lint.verdicts.inventory import reference_of
from celvet.lint.why.names import title
from celvet.lint.why.snapshot import Snapshot, key_of
from celvet.record import replace
from celvet.schemas.live.waiter import waiters

_DROPPED = (
    ("status",),
    ("metadata", "managedFields"),
    ("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"),
)
"""What no user has written."""


def scan(snapshot: Snapshot, settings: Settings, minimum: Severity) -> Report:
    """The report on all objects of kinds with expressions."""
    definitions = by_kind(filter(None, map(of_definition, snapshot.objects)))
    crds = LayeredSchemas((KnownSchemas(definitions), settings.crds))
    return report(_files(snapshot, replace(settings, crds=crds)), minimum)


def _files(snapshot: Snapshot, settings: Settings) -> Iterator[FileReport]:
    appliers = _appliers(snapshot)
    for obj in snapshot.objects:
        reference = object_ref_of(obj)
        if settings.catalog.find(reference.api_version, reference.kind) is None:
            continue
        applier = _labelled_applier(obj) or appliers.get(key_of(reference), "")
        name = title(reference) + (f" (applied by {applier})" if applier else "")
        obj_value: Value = dict(obj)
        for path in _DROPPED:
            obj_value = drop(obj_value, path)
        yield file_report(lint_text(yaml_text(obj_value), name, settings))


def _appliers(snapshot: Snapshot) -> Mapping[object, str]:
    """Who has an object in its inventory."""
    return {
        key_of(reference): title(object_ref_of(obj))
        for obj in snapshot.objects
        if (kind := waiters().get(_group_and_kind(obj)))
        for entry in list_at(obj, kind.inventory)
        if (reference := reference_of(entry))
    }


def _labelled_applier(obj: Mapping[str, Value]) -> str:
    """Who has put its labels on an object; empty for an object without them."""
    for kind in waiters().values():
        labels = {
            part: text_at(obj, ("metadata", "labels", label)) for part, label in kind.labels.items()
        }
        if labels.get("name") and labels.get("kind", kind.kind) == kind.kind:
            return "/".join(filter(None, (kind.kind, labels.get("namespace"), labels["name"])))
    return ""


def _group_and_kind(obj: Mapping[str, Value]) -> tuple[str, str]:
    kind = object_ref_of(obj).group_kind
    return kind.group, kind.kind
