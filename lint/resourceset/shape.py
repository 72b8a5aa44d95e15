"""The types of the fields that a build reads; the API server refuses any others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celvet.lint.resourceset.errors import Where
from celvet.lint.resourceset.inputs import API_VERSION, PROVIDER_KIND
from celvet.lint.resourceset.metadata import group_of

_TYPES = {"object": dict, "array": list, "string": str}
_STRING_MAP = {"": "string"}
_PART = {"resources": [{}], "resourcesTemplate": "string"}
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


def is_provider(value: dict[str, Any]) -> bool:
    """Whether an object is a ResourceSetInputProvider."""
    return (group_of(value), value.get("kind")) == (API_VERSION.partition("/")[0], PROVIDER_KIND)


def wrong_type(value: dict[str, Any]) -> tuple[Where, str] | None:
    """The first field that is of another type, and the type that it should be.

    Args:
        value: a ResourceSet or a ResourceSetInputProvider.
    """
    return next(_wrong(value, _PROVIDER if is_provider(value) else _RESOURCE_SET, ()), None)


def _wrong(value: Any, wanted: Any, path: Where) -> Iterator[tuple[Where, str]]:
    if value is None:
        return
    name = "array" if isinstance(wanted, list) else wanted if isinstance(wanted, str) else "object"
    if not isinstance(value, _TYPES[name]):
        yield path, name
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if item is None and path[-1] != "inputs":
                yield (*path, index), "object"
            yield from _wrong(item, wanted[0], (*path, index))
    elif isinstance(value, dict):
        for key in value if "" in wanted else wanted:
            yield from _wrong(value.get(key), wanted.get("", wanted.get(key)), (*path, key))
