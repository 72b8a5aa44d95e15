"""The types of the fields that a build reads; the API server refuses any others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celvet.lint.model import Path
from celvet.lint.resourceset.inputs import PROVIDER_KIND

_TYPES = {"object": dict, "array": list, "string": str}
_STRING_MAP = {"": "string"}
_PART = {"resources": [{}], "resourcesTemplate": "string"}
TEMPLATES = frozenset(_PART)
"""The fields of `spec`, and of each of its `steps`, that hold templates."""
_SELECTOR = {
    "matchLabels": _STRING_MAP,
    "matchExpressions": [{"key": "string", "operator": "string", "values": ["string"]}],
}
_METADATA = {"name": "string", "namespace": "string", "uid": "string", "labels": _STRING_MAP}
_RESOURCE_SET = {
    "metadata": _METADATA,
    "spec": {
        **_PART,
        "inputs": [{}],
        "inputsFrom": [{"name": "string", "selector": _SELECTOR}],
        "inputStrategy": {"name": "string"},
        "commonMetadata": {"labels": _STRING_MAP, "annotations": _STRING_MAP},
        "steps": [{"name": "string", **_PART}],
    },
}
_PROVIDER = {"metadata": _METADATA, "spec": {"type": "string", "defaultValues": {}}}


def wrong_type(value: dict[str, Any]) -> tuple[Path, str] | None:
    """The first field of a wrong type, and the type that it should have.

    Args:
        value: a ResourceSet or a ResourceSetInputProvider.
    """
    fields = _PROVIDER if value.get("kind") == PROVIDER_KIND else _RESOURCE_SET
    return next(_wrong_fields(value, fields, ()), None)


def _wrong_fields(value: Any, shape: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if value is None:
        return
    name = "array" if isinstance(shape, list) else shape if isinstance(shape, str) else "object"
    if not isinstance(value, _TYPES[name]):
        yield path, name
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if item is None and path[-1] != "inputs":
                yield (*path, index), "object"
            yield from _wrong_fields(item, shape[0], (*path, index))
    elif isinstance(value, dict):
        for key in value if "" in shape else shape:
            yield from _wrong_fields(value.get(key), shape.get("", shape.get(key)), (*path, key))
