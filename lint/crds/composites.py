"""The CRDs that a controller makes of objects that define kinds, such as Crossplane's XRDs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import Value
from celvet.lint.values import list_at, mapping_at, text_at
from celvet.schemas.repository.definer import Definer

_ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}


def made_definitions(value: Mapping[str, Value], definer: Definer) -> Iterator[dict[str, Value]]:
    """The spec of each CRD that the controller makes of an object."""
    spec = mapping_at(value, ("spec",))
    scope = text_at(spec, ("scope",))
    for field in definer.names:
        if names := mapping_at(spec, (field,)):
            is_namespaced = field in definer.namespaced or scope == "Namespaced"
            yield {
                "group": spec.get("group"),
                "names": names,
                "scope": "Namespaced" if is_namespaced else "Cluster",
                "versions": [_version(entry, definer) for entry in list_at(spec, ("versions",))],
            }


def _version(entry: Value, definer: Definer) -> dict[str, Value]:
    version = mapping_at(entry)
    root = mapping_at(version, ("schema", "openAPIV3Schema"))
    return {**version, "schema": {"openAPIV3Schema": _root(root, definer)} if root else {}}


def _root(root: Mapping[str, Value], definer: Definer) -> dict[str, Value]:
    """The schema of a whole object: only its spec and status are the author's."""
    spec, status = (mapping_at(root, ("properties", name)) for name in ("spec", "status"))
    spec_fields = dict.fromkeys(definer.spec, _ANYTHING)
    status_fields = {**dict.fromkeys(definer.status, _ANYTHING), "conditions": definer.conditions}
    return {
        "type": "object",
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": _with_fields(spec, spec_fields),
            "status": _with_fields(status, status_fields),
        },
    }


def _with_fields(schema: Mapping[str, Value], fields: Mapping[str, Value]) -> dict[str, Value]:
    properties = {**mapping_at(schema, ("properties",)), **fields}
    return {**schema, "type": "object", "properties": properties}
