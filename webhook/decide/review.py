"""AdmissionReview v1, as the API server sends it.

Fields as in `k8s.io/api/admission/v1/types.go`. Unknown fields are ignored: the cluster
may be newer.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn

from celvet.lint.model import GroupKind, Value
from celvet.webhook.decide.json_depth import without_depths

API_VERSION = "admission.k8s.io/v1"
_OPERATIONS = ("CREATE", "UPDATE", "DELETE", "CONNECT")


class MalformedError(ValueError):
    """A request that is not an AdmissionReview v1; the message says why.

    `uid` is that of the request, empty if it could not be read.
    """

    def __init__(self, reason: str, uid: str = "") -> None:
        super().__init__(reason)
        self.uid = uid


@dataclass(frozen=True, slots=True)
class Review:
    """A request for admission; absent texts are empty, absent objects None.

    `kind` is that of the object if it has one, else that of the request. `name` is
    `generateName` if the API server has yet to complete it. An object that is nested too
    `deep` was cut.
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
        raise MalformedError(f"the body is not JSON: {error}") from None
    return _read(_json(shallow))


def _read(value: Value) -> Review:
    document = _mapping(value, "the body")
    version, kind = document.get("apiVersion"), document.get("kind")
    if kind != "AdmissionReview":
        raise MalformedError(f"`kind` must be `AdmissionReview`{_not(kind)}")
    if version != API_VERSION:
        advice = ": set `admissionReviewVersions: [v1]` in the webhook configuration"
        raise MalformedError(f"`apiVersion` must be `{API_VERSION}`{_not(version)}{advice}")
    if "request" not in document:
        raise MalformedError("there is no `request`")
    return _review(_mapping(document["request"], "`request`"))


def _review(request: Mapping[str, Value]) -> Review:
    uid = request.get("uid")
    if not isinstance(uid, str) or not uid:
        raise MalformedError("`request.uid` must be a string")
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
        name=_text(request, "name") or _name(object_),
        subresource=_text(request, "subResource"),
        user=_text(user, "username", "request.userInfo."),
        dry_run=_flag(request, "dryRun"),
        object=object_,
        old_object=_optional(request, "oldObject"),
    )


def _kind(requested: Mapping[str, Value], object_: Mapping[str, Value] | None) -> GroupKind:
    """The kind of the object if it has one, else that of the request."""
    group, kind = (_text(requested, key, "request.kind.") for key in ("group", "kind"))
    own = [(object_ or {}).get(key) for key in ("apiVersion", "kind")]
    version, name = (each if isinstance(each, str) else "" for each in own)
    return GroupKind.of(version, name) if version and name else GroupKind(group, kind)


def _name(object_: Mapping[str, Value] | None) -> str:
    metadata = (object_ or {}).get("metadata")
    found = metadata if isinstance(metadata, Mapping) else {}
    names = (found.get(key) for key in ("name", "generateName"))
    return next((each for each in names if each and isinstance(each, str)), "")


def _text_of(body: bytes) -> str:
    """The body as text: UTF-8 without a byte order mark (RFC 8259, 8.1)."""
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise MalformedError("the body is not JSON: it begins with a byte order mark")
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise MalformedError(f"the body is not JSON: invalid UTF-8 at byte {error.start}") from None


def _json(text: str) -> Value:
    """The value of a JSON text; raises `MalformedError`, and `RecursionError` if it is deep."""
    try:
        with _no_garbage_collection():
            return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise MalformedError(f"the body is not JSON: {error}") from None
    except MalformedError:
        raise
    except ValueError:  # only this is left; API servers send no such integers
        limit = sys.get_int_max_str_digits()
        raise MalformedError(f"the body has an integer of more than {limit} digits") from None


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Collections walk all new lists again and again: 5/6 of the time for a hostile body."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedError(f"the body is not JSON: `{name}` is not a JSON value")


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
        raise MalformedError(f"`{prefix}{key}` must be a string")
    return value


def _flag(request: Mapping[str, Value], key: str) -> bool:
    value = request.get(key)
    if not isinstance(value, bool | None):
        raise MalformedError(f"`request.{key}` must be true or false")
    return bool(value)


def _not(value: Value) -> str:
    return f", not `{value[:100]}`" if isinstance(value, str) else ""
