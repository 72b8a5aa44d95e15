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
        fields = metadata(object_)
        user_fields = {key: fields[key] for key in _METADATA if key in fields}
        part["metadata"] = msgspec.Raw(msgspec.json.encode(user_fields))
    return msgspec.json.encode(part)


def same_content(first: RawMembers, second: RawMembers) -> bool:
    """Whether two objects are equal apart from metadata and status.

    Compares the JSON text, since the API server writes both in the same way. Otherwise the object
    is linted, which only costs time.
    """
    return _members(first) == _members(second)


def _members(object_: RawMembers) -> dict[str, bytes]:
    return {key: bytes(raw) for key, raw in object_.items() if key not in ("metadata", "status")}
