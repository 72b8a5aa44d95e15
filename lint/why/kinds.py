"""The kinds that wait in a cluster: those of the catalogue, and those that its objects define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import text_at
from celvet.lint.why.snapshot import Snapshot
from celvet.record import replace
from celvet.schemas.live.holding import KindSource
from celvet.schemas.live.waiter import WaiterKind, defined_waiters, waiters


def waiting_kinds(snapshot: Snapshot) -> Mapping[tuple[str, str], WaiterKind]:
    """What is known of each kind that waits, by group and kind."""
    return {**waiters(), **{(kind.group, kind.kind): kind for kind in defined_kinds(snapshot)}}


def defined_kinds(snapshot: Snapshot) -> Iterator[WaiterKind]:
    """The kinds that wait and that objects of a snapshot define."""
    for source, waiter in defined_waiters():
        for definition in snapshot.of_kind(GroupKind(source.group, source.kind)):
            yield from _kinds_of(definition, source, waiter)


def _kinds_of(
    definition: Mapping[str, Value], source: KindSource, waiter: WaiterKind
) -> Iterator[WaiterKind]:
    definition_name = (source.group, source.kind, text_at(definition, ("metadata", "name")))
    for paths in source.parts:
        parts = {
            name: text_at(definition, path) or source.defaults.get(name, "")
            for name, path in paths.items()
        }
        if parts["kind"]:
            yield replace(
                waiter,
                group=parts["group"],
                version=parts["version"],
                kind=parts["kind"],
                plural=parts.get("plural") or guessed_plural(parts["kind"]),
                definition=definition_name,
            )
