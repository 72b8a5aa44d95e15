"""AdmissionReview v1, as the API server sends it.

Fields and their meaning were read in `k8s.io/api/admission/v1/types.go`. Unknown
fields are left alone: a cluster may be ahead of us.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from celvet.lint.model import GroupKind, Value
from celvet.lint.values import group_kind_of, object_ref_of, text_at
from celvet.webhook.decide.json_depth import without_depths

API_VERSION = "admission.k8s.io/v1"
_OPERATIONS = ("CREATE", "UPDATE", "DELETE", "CONNECT")


class MalformedError(ValueError):
    """A request that is no AdmissionReview of ours; the message says why.

    `uid` is the request's, where it could be read.
    """

    def __init__(self, reason: str, uid: str = "") -> None:
        super().__init__(reason)
        self.uid = uid


@dataclass(frozen=True, slots=True)
class Review:
    """One request for admission; absent texts are empty, absent objects None.

    `kind` is the one of the object, which is judged, where it has one. `name` is the
    start of the name where the API server makes the rest. Of an object that is nested
    too `deep` not all was read.
    """

    uid: str
    operation: str
    kind: GroupKind
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    user: str = ""
    dry_run: bool = False
    object: Mapping[str, Value] | None = None
    old_object: Mapping[str, Value] | None = None
    deep: bool = False


def read(body: bytes) -> Review:
    """The review in the body of a request; raises `MalformedError`."""
    text = _text_of(body)
    try:
        return _read(_json(text))
    except RecursionError:
        return replace(_cut(text), deep=True)


def _cut(text: str) -> Review:
    try:
        shallow = without_depths(text)
    except ValueError as error:
        raise MalformedError(f"the body is no JSON: {error}") from None
    return _read(_json(shallow))


def _read(value: Value) -> Review:
    document = _mapping(value, "the body")
    version, kind = document.get("apiVersion"), document.get("kind")
    if kind != "AdmissionReview":
        raise MalformedError(f"`kind` must be `AdmissionReview`, not {_shown(kind)}")
    if version != API_VERSION:
        advice = ": set `admissionReviewVersions: [v1]` in the webhook configuration"
        raise MalformedError(f"`apiVersion` must be `{API_VERSION}`, not {_shown(version)}{advice}")
    if "request" not in document:
        raise MalformedError("there is no `request`")
    return _review(_mapping(document["request"], "`request`"))


def _review(request: Mapping[str, Value]) -> Review:
    uid = request.get("uid")
    if not isinstance(uid, str) or not uid:
        raise MalformedError("`request.uid` must be a text")
    try:
        return _fields(request, uid)
    except MalformedError as error:
        raise MalformedError(str(error), uid) from None


def _fields(request: Mapping[str, Value], uid: str) -> Review:
    operation = request.get("operation")
    if operation not in _OPERATIONS:
        raise MalformedError(f"`request.operation` must be one of {', '.join(_OPERATIONS)}")
    object_ = _optional(request, "object")
    if object_ is None and operation in ("CREATE", "UPDATE"):
        raise MalformedError("`request.object` is missing")
    kind = _kind(_mapping(request.get("kind"), "`request.kind`"), object_)
    user = _mapping(request.get("userInfo") or {}, "`request.userInfo`")
    return Review(
        uid=uid,
        operation=operation,
        kind=kind,
        namespace=_text(request, "namespace"),
        name=_text(request, "name") or object_ref_of(object_).name,
        subresource=_text(request, "subResource"),
        user=_text(user, "username", "request.userInfo."),
        dry_run=_flag(request, "dryRun"),
        object=object_,
        old_object=_optional(request, "oldObject"),
    )


def _kind(told: Mapping[str, Value], object_: Mapping[str, Value] | None) -> GroupKind:
    """The kind of the object where it tells one, else the one that the request tells."""
    group, kind = (_text(told, key, "request.kind.") for key in ("group", "kind"))
    tells = text_at(object_, ("apiVersion",)) and text_at(object_, ("kind",))
    return group_kind_of(object_) if tells else GroupKind(group, kind)


def _text_of(body: bytes) -> str:
    """The body as a text: JSON that travels is UTF-8 without a mark (RFC 8259, 8.1)."""
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise MalformedError("the body is no JSON: a byte order mark is before it")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"the body is no JSON: no UTF-8 at byte {error.start}") from None


def _json(text: str) -> Value:
    """The value of a text; raises `MalformedError`, and `RecursionError` if it is deep."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise MalformedError(f"the body is no JSON: {error}") from None
    except MalformedError:
        raise
    except ValueError:  # what is left: Python reads no longer ones, and API servers send none
        limit = sys.get_int_max_str_digits()
        raise MalformedError(f"the body has an integer of more than {limit} digits") from None


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedError(f"the body is no JSON: `{name}` is no JSON value")


def _mapping(value: Value, what: str) -> Mapping[str, Value]:
    if not isinstance(value, Mapping):
        raise MalformedError(f"{what} must be a JSON object")
    return value


def _optional(request: Mapping[str, Value], key: str) -> Mapping[str, Value] | None:
    value = request.get(key)
    return None if value is None else _mapping(value, f"`request.{key}`")


def _text(mapping: Mapping[str, Value], key: str, prefix: str = "request.") -> str:
    value = mapping.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedError(f"`{prefix}{key}` must be a text")
    return value


def _flag(request: Mapping[str, Value], key: str) -> bool:
    value = request.get(key)
    if not isinstance(value, bool | None):
        raise MalformedError(f"`request.{key}` must be true or false")
    return bool(value)


def _shown(value: Any) -> str:
    return f"`{value[:100]}`" if isinstance(value, str) else "what is there"
