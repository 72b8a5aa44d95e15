"""Builds plain objects value by value; nothing is changed in place."""

from __future__ import annotations

from celvet.lint import values
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, Absent

_LONGEST = 8
"""Beyond this, a list grows element by element, since an expression may use the 1,000,000th."""


class CannotBuildError(ValueError):
    """A value on the path has no such keys or elements."""


def get(obj: Value, path: Path) -> Value | Absent:
    """The value at a path, `ABSENT` where there is none."""
    return values.get(obj, path, ABSENT)


def put(obj: Value | Absent, path: Path, value: Value) -> Value:
    """A copy with the value at the path; missing parents are created.

    Lists grow by empty objects. Raises `CannotBuildError` for a step into a
    scalar, or far beyond the end of a list.
    """
    if not path:
        return value
    step, *inner_path = path
    if isinstance(step, int):
        items = list(_container(obj, list))
        if not 0 <= step < max(_LONGEST, len(items) + 1):
            raise CannotBuildError
        items += [{} for _ in range(step + 1 - len(items))]
        items[step] = put(items[step] or ABSENT, tuple(inner_path), value)
        return items
    fields = dict(_container(obj, dict))
    fields[step] = put(fields.get(step, ABSENT), tuple(inner_path), value)
    return fields


def _container(obj: Value | Absent, kind: type) -> Value:
    if obj is ABSENT or obj is None:
        return kind()
    if not isinstance(obj, kind):
        raise CannotBuildError
    return obj
