"""Names, annotations and common metadata of objects, as `unstructured` and ssa/utils see them."""

from __future__ import annotations

from typing import Any

from celvet.lint.values import get, group_kind_of, text_at

Object = dict[str, Any]

_OWNER = "resourceset.fluxcd.controlplane.io"


def _string_map(value: Any) -> dict[str, str]:
    """A map of strings; null is empty. With any other value in it, there is none, as in Go."""
    if not isinstance(value, dict):
        return {}
    strings = {key: "" if entry is None else entry for key, entry in value.items()}
    return strings if all(isinstance(entry, str) for entry in strings.values()) else {}


def annotations_of(value: Object) -> dict[str, str]:
    """The annotations of an object; empty if one of them is not a string."""
    return _string_map(get(value, ("metadata", "annotations")))


def object_key(value: Object) -> str:
    """The identity of an object: group, kind, namespace and name."""
    group_kind = group_kind_of(value)
    return "/".join((*group_kind, *_names(value)))


def object_name(value: Object) -> str:
    """An object in a message: kind, namespace and name."""
    return "/".join(filter(None, (text_at(value, ("kind",)), *_names(value))))


def _names(value: Object) -> tuple[str, str]:
    """The namespace and the name of an object; empty where it has none."""
    return text_at(value, ("metadata", "namespace")), text_at(value, ("metadata", "name"))


def owner_labels(resource_set: Object) -> dict[str, str]:
    """The labels by which the operator finds the objects of a ResourceSet.

    Mirrors `cmd/cli/build_resourceset.go` of Flux Operator v0.59, which sets them last; a name or
    namespace that is not known gives none.
    """
    pairs = zip(("namespace", "name"), _names(resource_set), strict=True)
    return {f"{_OWNER}/{key}": text for key, text in pairs if text}


def set_common_metadata(value: Object, common: Object) -> None:
    """Add labels and annotations to an object; they replace its own of the same names."""
    for field in ("labels", "annotations"):
        texts = _string_map(get(value, ("metadata", field))) | (common.get(field) or {})
        if texts:
            if not isinstance(value.get("metadata"), dict):
                value["metadata"] = {}
            value["metadata"][field] = texts
