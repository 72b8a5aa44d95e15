"""What a live object has applied, as Flux's controllers and Flux Operator write it.

Mirrors `ObjMetadata` of `github.com/fluxcd/cli-utils/pkg/object` (v1.2.3).
"""

from __future__ import annotations

from typing import NamedTuple

from celvet.lint.model import GroupKind, Value
from celvet.lint.values import get, list_at, object_ref_of, text_at

_INVENTORY = ("status", "inventory")


class InventoryEntry(NamedTuple):
    """An object in an inventory; the namespace is empty for one without."""

    kind: GroupKind
    namespace: str
    name: str


def inventory(declaration: Value) -> frozenset[InventoryEntry] | None:
    """The objects that a live object has applied; None if it has no inventory."""
    if get(declaration, _INVENTORY) is None:
        return None
    ids = (text_at(entry, ("id",)) for entry in list_at(declaration, (*_INVENTORY, "entries")))
    return frozenset(map(_entry, ids))


def entry_of(obj: Value) -> InventoryEntry:
    """How an inventory names an object."""
    reference = object_ref_of(obj)
    kind = GroupKind.of(reference.api_version, reference.kind)
    return InventoryEntry(kind, reference.namespace, reference.name)


def _entry(text: str) -> InventoryEntry:
    """The object of an id `namespace_name_group_kind`; two underscores stand for a colon."""
    namespace, _, rest = text.partition("_")
    rest, _, kind = rest.rpartition("_")
    name, _, group = rest.rpartition("_")
    return InventoryEntry(GroupKind(group, kind), namespace, name.replace("__", ":"))
