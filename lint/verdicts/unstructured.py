"""Fields of a decoded object, as apimachinery's `unstructured` helpers read them.

Mirrors `pkg/apis/meta/v1/unstructured/helpers.go` (v0.36) and, for time stamps, Go's
`time.Parse(time.RFC3339, ...)`. An integer beyond 64 bits is a float, as in Kubernetes' decoder.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TypeVar

from celvet.lint.model import GroupKind, Value
from celvet.lint.values import ABSENT, Absent, get, group_kind_of, kubernetes_number
from celvet.regex import regex

T = TypeVar("T", str, int, list[Value])

_TIMESTAMP = regex(
    r"(\d{4}-\d\d-\d\d)T(\d{1,2})(:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)", re.ASCII
)


class FieldTypeError(ValueError):
    """A field does not have the type that its reader expects; the message is Go's."""


def field(obj: Value, *path: str) -> Value | Absent:
    """The value at a path of keys, `ABSENT` if a key or a value above it is missing.

    Raises `FieldTypeError` if a parent of the field is not an object.
    """
    value = obj
    for depth, key in enumerate(path, start=1):
        if value is None:
            return ABSENT
        if not isinstance(value, dict):
            raise _mismatch(path[:depth], value, "map[string]interface{}")
        if key not in value:
            return ABSENT
        value = value[key]
    return kubernetes_number(value)


def text_field(obj: Value, *path: str) -> str | None:
    """The text at a path, None if there is no such field; raises `FieldTypeError`."""
    return _typed(obj, path, str, "string")


def integer_field(obj: Value, *path: str) -> int | None:
    """The whole number at a path, None if there is no such field; raises `FieldTypeError`."""
    return _typed(obj, path, int, "int64")


def list_field(obj: Value, *path: str) -> list[Value] | None:
    """The list at a path, None if there is no such field; raises `FieldTypeError`."""
    return _typed(obj, path, list, "[]interface{}")


def optional_text(obj: Value, *path: str) -> str:
    """The text at a path, empty for null and without one; raises `FieldTypeError`."""
    return "" if field(obj, *path) is None else text_field(obj, *path) or ""


def optional_number(obj: Value, *path: str) -> int | None:
    """The whole number at a path, None for null and without one; raises `FieldTypeError`."""
    return None if field(obj, *path) is None else integer_field(obj, *path)


def optional_list(obj: Value, *path: str) -> list[Value]:
    """The list at a path, empty for null and without one; raises `FieldTypeError`."""
    return [] if field(obj, *path) is None else list_field(obj, *path) or []


def text_or(default: str, obj: Value, *path: str) -> str:
    """The text at a path, the default for anything else."""
    value = get(obj, path)
    return value if isinstance(value, str) else default


def integer_or(default: int, obj: Value, *path: str) -> int:
    """The whole number at a path, the default for anything else."""
    value = kubernetes_number(get(obj, path))
    return value if type(value) is int else default


def names(obj: Value, kind: GroupKind, namespace: str, name: str) -> bool:
    """Whether an object is that of a reference; a missing namespace on either side matches any."""
    object_namespace = text_or("", obj, "metadata", "namespace")
    same_place = not (namespace and object_namespace) or namespace == object_namespace
    return (group_kind_of(obj), text_or("", obj, "metadata", "name")) == (kind, name) and same_place


def timestamp(text: str) -> datetime | None:
    """The time in an RFC 3339 text, to the microsecond; None for any other text."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return None
    date, hour, minutes, fraction, zone = match.groups()
    try:
        return datetime.fromisoformat(f"{date}T{hour:0>2}{minutes}.{fraction or '':0<6.6}{zone}")
    except ValueError:
        return None


def _typed(obj: Value, path: tuple[str, ...], kind: type[T], name: str) -> T | None:
    value = field(obj, *path)
    if value is ABSENT:
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _mismatch(path, value, name)
    return value


def _mismatch(path: tuple[str, ...], value: Value, wanted: str) -> FieldTypeError:
    # hardly any object has a mismatch
    from celvet.lint.jsonpath.eval.printing import accessor_error

    return FieldTypeError(accessor_error(path, value, wanted))
