"""What a live object has applied, as Flux's controllers and Flux Operator write it.

Mirrors `ObjMetadata` of `github.com/fluxcd/cli-utils/pkg/object` (v1.2.3).
"""

from __future__ import annotations

from typing import NamedTuple

from celvet.lint.model import GroupKind, ObjectRef, Value
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
    references = map(reference_of, list_at(declaration, (*_INVENTORY, "entries")))
    return frozenset(_entry(reference) for reference in references if reference)


def entry_of(obj: Value) -> InventoryEntry:
    """How an inventory names an object."""
    return _entry(object_ref_of(obj))


def reference_of(entry: Value) -> ObjectRef | None:
    """The object of an entry `{id: namespace_name_group_kind, v: version}`; None for another text.

    Mirrors `ParseObjMetadata` of cli-utils, where `__` in a name stands for a colon.
    """
    namespace, _, rest = text_at(entry, ("id",)).partition("_")
    rest, _, kind = rest.rpartition("_")
    name, separator, group = rest.rpartition("_")
    if not (separator and name and kind):
        return None
    version = text_at(entry, ("v",))
    api_version = f"{group}/{version}" if group else version
    return ObjectRef(api_version, kind, namespace, name.replace("__", ":"))


def _entry(reference: ObjectRef) -> InventoryEntry:
    return InventoryEntry(reference.group_kind, reference.namespace, reference.name)
