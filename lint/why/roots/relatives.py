"""What the objects that an object names, or that its controller made for it, say went wrong.

A Certificate says that it is being issued, and its request that the issuer does not exist; an
ExternalSecret that its store is not ready, and the store that its login is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import GroupKind, ObjectRef, Value
from celvet.lint.values import group_kind_of, mapping_at, object_ref_of, text_at
from celvet.lint.why.outlook.life import message_outlook, status_fields
from celvet.lint.why.outlook.rules import Outlook
from celvet.lint.why.snapshot import Snapshot, conditions_of
from celvet.schemas import Catalog, kind_facts
from celvet.schemas.kind_files import is_built_in

_REFERENCE = "Ref"


def spec_references(obj: Mapping[str, Value], catalog: Catalog) -> Iterator[ObjectRef]:
    """The objects of known custom kinds that the spec of an object names."""
    for kind, name in _names(obj):
        if facts := kind_facts(kind.group, kind.kind, catalog.directories):
            namespace = text_at(obj, ("metadata", "namespace"))
            place = namespace if facts.scope == "Namespaced" else ""
            yield ObjectRef(facts.api_version, kind.kind, place, name)


def relative_errors(
    obj: Mapping[str, Value], snapshot: Snapshot
) -> Iterator[tuple[Outlook, str, str]]:
    """The outlook of each error that a relative of a custom object tells, its name and words."""
    if _is_plain(obj):
        return
    for relative in (*_newest_owned(obj, snapshot), *_named_objects(obj, snapshot)):
        conditions = conditions_of(relative).values()
        unmet = [condition for condition in conditions if condition.status != "True"]
        if conditions and not unmet:
            continue
        texts = [
            *(condition.message for condition in unmet),
            *(text for _, text in status_fields(relative)),
        ]
        if outlook := message_outlook(" ".join(texts)):
            reference = object_ref_of(relative)
            yield outlook, f"{reference.kind} {reference.name}", "; ".join(filter(None, texts))


def _newest_owned(obj: Mapping[str, Value], snapshot: Snapshot) -> Iterator[Mapping[str, Value]]:
    """The owned object of each custom kind that was made last: earlier ones tell what is over."""
    newest: dict[GroupKind, Mapping[str, Value]] = {}
    for owned in snapshot.owned_by(obj):
        other = newest.get(group_kind_of(owned))
        if not _is_plain(owned) and (other is None or _creation(owned) > _creation(other)):
            newest[group_kind_of(owned)] = owned
    yield from newest.values()


def _named_objects(obj: Mapping[str, Value], snapshot: Snapshot) -> Iterator[Mapping[str, Value]]:
    namespace = text_at(obj, ("metadata", "namespace"))
    for kind, name in _names(obj):
        for place in (namespace, ""):
            if target := snapshot.find(ObjectRef(f"{kind.group}/v1", kind.kind, place, name)):
                yield target
                break


def _names(obj: Mapping[str, Value]) -> Iterator[tuple[GroupKind, str]]:
    """The kind and name in each field such as `issuerRef`; of its own group if none is given.

    A reference without a kind is to that of its field: a `secretStoreRef` to a SecretStore.
    """
    for field, value in mapping_at(obj, ("spec",)).items():
        name = text_at(value, ("name",))
        if name and field.endswith(_REFERENCE):
            group = text_at(value, ("group",)) or text_at(value, ("apiVersion",)).rpartition("/")[0]
            kind = text_at(value, ("kind",)) or field[0].upper() + field[1 : -len(_REFERENCE)]
            yield GroupKind(group or group_kind_of(obj).group, kind), name


def _is_plain(obj: Mapping[str, Value]) -> bool:
    kind = group_kind_of(obj)
    return is_built_in(kind.group, kind.kind)


def _creation(obj: Mapping[str, Value]) -> str:
    return text_at(obj, ("metadata", "creationTimestamp"))
