"""Strips server-side fields of an object, so that equal specs share a cache key.

Writes of controllers that change nothing else then cost nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from celvet.lint.model import Value

_METADATA = ("name", "generateName", "namespace", "labels", "annotations")
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""An annotation with a copy of the object: it changes with every field."""


def normalized(object_: Mapping[str, Value]) -> bytes:
    """The object without status and server-side metadata, as JSON in ASCII."""
    part = {key: value for key, value in object_.items() if key != "status"}
    metadata = part.get("metadata")
    if isinstance(metadata, Mapping):
        part["metadata"] = {key: metadata[key] for key in _METADATA if key in metadata}
        annotations = metadata.get("annotations")
        if isinstance(annotations, Mapping) and _LAST_APPLIED in annotations:
            kept = {key: value for key, value in annotations.items() if key != _LAST_APPLIED}
            part["metadata"]["annotations"] = kept
    return json.dumps(part, separators=(",", ":")).encode()


def same_content(one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    """Whether two objects are equal apart from metadata and status."""
    return _content(one) == _content(other)


def _content(object_: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in object_.items() if key not in ("metadata", "status")}
