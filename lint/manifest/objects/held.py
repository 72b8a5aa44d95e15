"""Finds the objects and kustomizations inside an object, from the data of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of
from celvet.schemas.holder import FieldPattern, Holder, holder
from celvet.schemas.walk import ITEM


def holder_of(value: Mapping[str, Value]) -> Holder | None:
    """The data of a kind whose objects may contain others."""
    named = group_kind_of(value)
    if not named.group and any(value.get(key) is not None for key in ("apiVersion", "kind")):
        return None
    return holder(named.group, named.kind)


def places(value: Value, pattern: FieldPattern) -> Iterator[Path]:
    """The paths in a value that match a pattern, even if there is nothing at their end."""
    paths: list[Path] = [()]
    for step in pattern:
        if step == ITEM:
            paths = [(*path, index) for path in paths for index in _indices(value, path)]
        else:
            paths = [(*path, step) for path in paths]
    yield from paths


def holds_text(value: Value, wanted: str) -> bool:
    """Whether a text occurs in any text or key of a value; the empty one never does."""
    if not wanted:
        return False
    stack = [value]
    while stack:  # in a third of the time that a generator of the parts takes
        part = stack.pop()
        if isinstance(part, str):
            if wanted in part:
                return True
        elif isinstance(part, dict):
            stack += part
            stack += part.values()
        elif isinstance(part, list):
            stack += part
    return False


def holds_object(value: Value, group: str, kind: str) -> bool:
    """Whether a value may contain an object of a kind, as a mapping or as a text.

    A mapping of only strings is a reference, and a string of one line is not an object.
    """
    wanted = GroupKind(group, kind)
    return any(_may_be(part, wanted) for part in _parts(value))


def _may_be(part: Value, wanted: GroupKind) -> bool:
    if isinstance(part, str):
        return "\n" in part and f"{wanted.group}/" in part and wanted.kind in part
    whole = isinstance(part, dict) and any(not isinstance(it, str) for it in part.values())
    return whole and group_kind_of(part) == wanted


def _parts(value: Value) -> Iterator[Value]:
    """A value with all values and keys in it."""
    stack = [value]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, dict):
            stack += (*part.keys(), *part.values())
        elif isinstance(part, list):
            stack += part


def _indices(value: Value, path: Path) -> range:
    found = get(value, path)
    return range(len(found) if isinstance(found, list) else 0)
