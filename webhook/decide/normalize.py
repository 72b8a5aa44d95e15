"""What of an object is judged: what people wrote, not what the API server adds.

The same part is what a judgement is remembered by, so that the writes of
controllers to an object cost nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from celvet.lint.model import Value

_METADATA = ("name", "generateName", "namespace", "labels", "annotations")
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""A copy of the object, in an annotation: it changes with every field."""


def subject(object_: Mapping[str, Value]) -> bytes:
    """The part of an object that is judged, as JSON in ASCII."""
    part = {key: value for key, value in object_.items() if key != "status"}
    metadata = part.get("metadata")
    if isinstance(metadata, Mapping):
        part["metadata"] = {key: metadata[key] for key in _METADATA if key in metadata}
        annotations = metadata.get("annotations")
        if isinstance(annotations, Mapping) and _LAST_APPLIED in annotations:
            kept = {key: value for key, value in annotations.items() if key != _LAST_APPLIED}
            part["metadata"]["annotations"] = kept
    return json.dumps(part, separators=(",", ":")).encode()


def same_declaration(one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    """Whether two objects say the same, metadata and status aside."""
    return _declaration(one) == _declaration(other)


def _declaration(object_: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in object_.items() if key not in ("metadata", "status")}
