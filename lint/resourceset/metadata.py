"""Names, annotations and common metadata of objects, as `unstructured` and ssa/utils see them."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]

_OWNER = "resourceset.fluxcd.controlplane.io"


def _metadata(value: Object) -> Object:
    metadata = value.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _string_map(value: Any) -> dict[str, str]:
    """A map of strings; null is empty. One with anything else in it is none, as in Go."""
    if not isinstance(value, dict):
        return {}
    strings = {key: "" if entry is None else entry for key, entry in value.items()}
    return strings if all(isinstance(entry, str) for entry in strings.values()) else {}


def annotations_of(value: Object) -> dict[str, str]:
    """The annotations of an object; none at all if one of them is no text."""
    return _string_map(_metadata(value).get("annotations"))


def _group(value: Object) -> str:
    version = _text(value.get("apiVersion"))
    return version.partition("/")[0] if version.count("/") == 1 else ""


def object_key(value: Object) -> str:
    """What tells objects apart: group, kind, namespace and name."""
    metadata = _metadata(value)
    names = _text(metadata.get("namespace")), _text(metadata.get("name"))
    return "/".join([_group(value), _text(value.get("kind")), *names])


def object_name(value: Object) -> str:
    """An object in a message: kind, namespace and name."""
    metadata = _metadata(value)
    parts = [
        _text(value.get("kind")),
        _text(metadata.get("namespace")),
        _text(metadata.get("name")),
    ]
    return "/".join(part for part in parts if part)


def owner_labels(resource_set: Object) -> dict[str, str]:
    """The labels by which the operator knows what it has made of a ResourceSet.

    Mirrors `cmd/cli/build_resourceset.go` of Flux Operator v0.59, which sets them last; a name or
    namespace that is not known gives none.
    """
    metadata = _metadata(resource_set)
    found = {key: _text(metadata.get(key)) for key in ("name", "namespace")}
    return {f"{_OWNER}/{key}": text for key, text in found.items() if text}


def set_common_metadata(value: Object, common: Object) -> None:
    """Add labels and annotations to an object; they replace its own of the same names."""
    for field in ("labels", "annotations"):
        combined = _string_map(_metadata(value).get(field)) | (common.get(field) or {})
        if combined:
            if not isinstance(value.get("metadata"), dict):
                value["metadata"] = {}
            value["metadata"][field] = combined
