"""AdmissionReview v1, as the API server sends it.

Fields as in `k8s.io/api/admission/v1/types.go`. Unknown fields are ignored: the cluster may be
newer. The objects stay raw JSON: turning an object of 3 MiB into Python values can take seconds
and would block the event loop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from celvet.lint.model import GroupKind
from celvet.record import record, replace
from celvet.webhook.memory_budget import SMALL_BODY

API_VERSION = "admission.k8s.io/v1"
_OPERATIONS = ("CREATE", "UPDATE", "DELETE", "CONNECT")
_OBJECTS = ("object", "oldObject")
_MOST_UID = 128
"""Characters; the answer repeats it. API servers send a UUID, of 36."""

_OBJECT = re.compile(rb'"object"\s*:\s*(?:\{|null)')

RawMembers: TypeAlias = Mapping[str, msgspec.Raw]
"""The members of an object; each value is a piece of JSON."""

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_value = msgspec.json.Decoder()


class MalformedError(ValueError):
    """A request that is not an AdmissionReview v1; the message says why."""


@record
class Review:
    """A request for admission; absent strings are empty, absent objects None.

    `kind` and `version` are those of the object if it has them, else those of the request;
    `resource` is the kind as URLs have it. `name` is `generateName` if the API server has yet to
    complete it. If `deep`, the objects are nested too deep to be read, and `object` is empty.
    """

    uid: str
    operation: str
    kind: GroupKind
    version: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    object_uid: str = ""
    subresource: str = ""
    user: str = ""
    dry_run: bool = False
    object: RawMembers | None = None
    old_object: RawMembers | None = None
    deep: bool = False


def peek(body: bytes) -> Review:
    """Read what the event loop can read fast enough of a review; raises `MalformedError`."""
    return read(body) if len(body) <= SMALL_BODY else _read_head(body)


def read(body: bytes) -> Review:
    """The review in the body of a request; raises `MalformedError`."""
    try:
        return _read(body)
    except RecursionError:
        return replace(_read_head(body), deep=True)


def _read_head(body: bytes) -> Review:
    """The review without its objects, which is fast however large they are.

    The fields that identify the request come before the objects: API servers write fields in the
    order of their Go type. The values of `userInfo.extra`, whose keys may have any name, are lists.
    Raises `MalformedError`.
    """
    start = _OBJECT.search(body)
    if start is None:
        raise MalformedError("the body is too large or nested too deep, and has no `object`")
    try:
        return _read(body[: start.start()] + b'"object":{}}}')
    except RecursionError:
        raise MalformedError("`request` is nested too deep") from None


def members(raw: bytes | msgspec.Raw, what: str) -> RawMembers:
    """The members of a JSON object; raises `MalformedError`."""
    try:
        return _members.decode(raw)
    except msgspec.ValidationError:
        raise MalformedError(f"{what} must be a JSON object") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedError(f"the body is not JSON: {error}") from None


def begins(raw: bytes | msgspec.Raw, prefix: bytes) -> bool:
    """Whether a piece of JSON begins with this prefix."""
    return bytes(memoryview(raw)[: len(prefix)]) == prefix


def value_of(raw: msgspec.Raw | None) -> Any:
    """The value of a piece of JSON; None if it is absent. Raises `MalformedError`."""
    try:
        return None if raw is None else _value.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedError(f"the body is not JSON: {error}") from None


def _read(body: bytes) -> Review:
    if not body:
        raise MalformedError("the body is empty")
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise MalformedError("the body is not JSON: it begins with a byte order mark")
    document = members(body, "the body")
    version, kind = (value_of(document.get(key)) for key in ("apiVersion", "kind"))
    if kind != "AdmissionReview":
        raise MalformedError(f"`kind` must be `AdmissionReview`{_not(kind)}")
    if version != API_VERSION:
        advice = ": set `admissionReviewVersions: [v1]` in the webhook configuration"
        raise MalformedError(f"`apiVersion` must be `{API_VERSION}`{_not(version)}{advice}")
    if "request" not in document:
        raise MalformedError("there is no `request`")
    return _review(members(document["request"], "`request`"))


def _review(request: RawMembers) -> Review:
    fields = {key: value_of(raw) for key, raw in request.items() if key not in _OBJECTS}
    uid, operation = fields.get("uid"), fields.get("operation")
    if not isinstance(uid, str) or not uid:
        raise MalformedError("`request.uid` must be a string")
    if len(uid) > _MOST_UID:
        raise MalformedError(f"`request.uid` has more than {_MOST_UID} characters")
    if operation not in _OPERATIONS:
        raise MalformedError(f"`request.operation` must be one of {', '.join(_OPERATIONS)}")
    # The objects may be megabytes: they are decoded only once the small fields are right.
    object_, old_object = (_object(request, key) for key in _OBJECTS)
    if object_ is None and operation in ("CREATE", "UPDATE"):
        raise MalformedError("`request.object` is missing")
    version, kind = _kind(_mapping(fields.get("kind"), "`request.kind`"), object_)
    resource = _mapping(fields.get("resource") or {}, "`request.resource`")
    object_metadata = metadata(object_ or {})
    user = _mapping(fields.get("userInfo") or {}, "`request.userInfo`")
    return Review(
        uid=uid,
        operation=operation,
        kind=kind,
        version=version,
        resource=_text(resource, "resource", "request.resource."),
        namespace=_text(fields, "namespace"),
        name=_text(fields, "name") or _first_text(object_metadata, "name", "generateName"),
        object_uid=_first_text(object_metadata, "uid"),
        subresource=_text(fields, "subResource"),
        user=_text(user, "username", "request.userInfo."),
        dry_run=_flag(fields, "dryRun"),
        object=object_,
        old_object=old_object,
    )


def _object(request: RawMembers, key: str) -> RawMembers | None:
    raw = request.get(key, b"null")
    return None if begins(raw, b"null") else members(raw, f"`request.{key}`")


def _kind(requested: Mapping[str, Any], object_: RawMembers | None) -> tuple[str, GroupKind]:
    """Version and kind of the object if it has them, else those of the request."""
    group, version, kind = (
        _text(requested, key, "request.kind.") for key in ("group", "version", "kind")
    )
    object_fields = {key: _first_text(object_ or {}, key) for key in ("apiVersion", "kind")}
    if all(object_fields.values()):
        return object_fields["apiVersion"].rpartition("/")[2], GroupKind.of(
            object_fields["apiVersion"], object_fields["kind"]
        )
    return version, GroupKind(group, kind)


def _first_text(object_: RawMembers, *keys: str) -> str:
    """The first of the values that is a non-empty string; empty if there is none."""
    values = (value_of(object_.get(key)) for key in keys)
    return next((value for value in values if isinstance(value, str) and value), "")


def metadata(object_: RawMembers) -> RawMembers:
    """The members of the metadata; none if it is not a mapping."""
    raw = object_.get("metadata", b"")
    return members(raw, "metadata") if begins(raw, b"{") else {}


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise MalformedError(f"{what} must be a JSON object")
    return value


def _text(mapping: Mapping[str, Any], key: str, prefix: str = "request.") -> str:
    value = mapping.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedError(f"`{prefix}{key}` must be a string")
    return value


def _flag(request: Mapping[str, Any], key: str) -> bool:
    value = request.get(key)
    if not isinstance(value, bool | None):
        raise MalformedError(f"`request.{key}` must be true or false")
    return bool(value)


def _not(value: Any) -> str:
    return f", not `{value[:100]}`" if isinstance(value, str) else ""
