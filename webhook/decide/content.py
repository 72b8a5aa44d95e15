"""The user-written part of an object as JSON: without status and what the server adds.

A controller's write that only changes the rest then has the same cache key.
"""

from __future__ import annotations

import msgspec

from celvet.webhook.decide.review import RawMembers, metadata

_METADATA = ("name", "generateName", "namespace", "labels", "annotations")


def content(object_: RawMembers) -> bytes:
    """The object as JSON without status and server-side metadata."""
    part = {key: raw for key, raw in object_.items() if key != "status"}
    if "metadata" in part:
        given = metadata(object_)
        kept = {key: given[key] for key in _METADATA if key in given}
        part["metadata"] = msgspec.Raw(msgspec.json.encode(kept))
    return msgspec.json.encode(part)


def same_content(one: RawMembers, other: RawMembers) -> bool:
    """Whether two objects are equal apart from metadata and status.

    Compares the JSON text, since the API server writes both in the same way. Otherwise the object
    is linted, which only costs time.
    """
    return _members(one) == _members(other)


def _members(object_: RawMembers) -> dict[str, bytes]:
    return {key: bytes(raw) for key, raw in object_.items() if key not in ("metadata", "status")}
