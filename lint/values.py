"""Reads decoded JSON of unknown shape: no function here raises, whatever the value holds.

`path` is always a sequence of keys and indices from the value downwards. A key steps into a
mapping, an index into a list. For a negative index, an index beyond the end and a step into any
other value, there is no value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from celvet.lint.model import GroupKind, ObjectRef, Path, Value


class Absent:
    """The result for a path without a value, to distinguish that from null."""


ABSENT: Final = Absent()


def get(value: Value, path: Sequence[str | int], default: Any = None) -> Value:
    """The value at a path, `default` if there is none.

    Null is a value: pass `default` to distinguish it from absence.
    """
    for step in path:
        if isinstance(value, dict):  # most are, and a test for `Mapping` takes longer
            if step not in value:
                return default
        elif isinstance(value, list):
            if not isinstance(step, int) or not 0 <= step < len(value):
                return default
        elif not isinstance(value, Mapping) or step not in value:
            return default
        value = value[step]
    return value


def text_at(value: Value, path: Sequence[str | int]) -> str:
    """The text at a path, empty for anything else."""
    field_value = get(value, path)
    return field_value if isinstance(field_value, str) else ""


def list_at(value: Value, path: Sequence[str | int]) -> list[Value]:
    """The list at a path, empty for anything else."""
    field_value = get(value, path)
    return field_value if isinstance(field_value, list) else []


def mapping_at(value: Value, path: Sequence[str | int] = ()) -> Mapping[str, Value]:
    """The mapping at a path, or the value itself if it is one; empty for anything else."""
    field_value = get(value, path)
    return field_value if isinstance(field_value, (dict, Mapping)) else {}


def pointer_tokens(pointer: str) -> list[str]:
    """The tokens of a JSON pointer (RFC 6901) behind its first `/`."""
    tokens = pointer.split("/")[1:]
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens]


def drop(value: Value, path: Sequence[str | int]) -> Value:
    """A copy without the field at a path; the value itself if it has no such field."""
    if get(value, path, ABSENT) is ABSENT or not isinstance(path[-1], str):
        return value
    step, *inner_path = path
    if isinstance(value, list):
        return [
            drop(item, inner_path) if number == step else item for number, item in enumerate(value)
        ]
    if inner_path:
        return {**value, step: drop(value[step], inner_path)}
    return {key: field_value for key, field_value in value.items() if key != step}


def tree_of(paths: Iterable[Sequence[str | int]]) -> dict[Any, Any]:
    """The paths as nested mappings, one for each step; empty at the end of a path."""
    root: dict[Any, Any] = {}
    for path in paths:
        node = root
        for step in path:
            node = node.setdefault(step, {})
    return root


def parts_in(value: Value, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """A value and all that it contains, each with its path, in the order of the text."""
    stack: list[tuple[Path, Value]] = [(path, value)]
    while stack:
        place, part = stack.pop()
        yield place, part
        if isinstance(part, (dict, Mapping)):
            stack += reversed([((*place, key), item) for key, item in part.items()])
        elif isinstance(part, list):
            stack += reversed([((*place, index), item) for index, item in enumerate(part)])


def values_along(value: Value, path: Sequence[str | int]) -> Iterator[Value]:
    """The value after each step of a path; None from the first step without a value."""
    for step in path:
        value = get(value, (step,))
        yield value


def group_kind_of(value: Value) -> GroupKind:
    """The group and kind of an object; anything but a string counts as empty."""
    return GroupKind.of(text_at(value, ("apiVersion",)), text_at(value, ("kind",)))


def object_ref_of(value: Value) -> ObjectRef:
    """The names of an object; anything but a string counts as empty.

    For an object without a `name`, its `generateName` counts.
    """
    return ObjectRef(
        text_at(value, ("apiVersion",)),
        text_at(value, ("kind",)),
        text_at(value, ("metadata", "namespace")),
        text_at(value, ("metadata", "name")) or text_at(value, ("metadata", "generateName")),
    )


def kubernetes_number(value: Value) -> Value:
    """An integer beyond 64 bits, as the float that Kubernetes turns it into."""
    if type(value) is not int or -(2**63) <= value < 2**63:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
