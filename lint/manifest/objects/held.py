"""Finds the objects and kustomizations inside an object, from the data of its kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, mapping_at
from celvet.schemas.holder import FieldPattern, Holder, holder
from celvet.schemas.walk import ANY_KEY, ITEM


def holder_of(value: Mapping[str, Value]) -> Holder | None:
    """The data of a kind whose objects may contain others."""
    group_kind = group_kind_of(value)
    is_named = value.get("apiVersion") is not None or value.get("kind") is not None
    if is_named and not group_kind.kind and not group_kind.group:
        return None
    return holder(*group_kind)


def places(value: Value, pattern: FieldPattern) -> Iterator[Path]:
    """The paths in a value that match a pattern, even if there is nothing at their end."""
    paths: list[Path] = [()]
    for step in pattern:
        if step == ITEM:
            paths = [(*path, index) for path in paths for index in _indices(value, path)]
        elif step == ANY_KEY:
            paths = [(*path, key) for path in paths for key in mapping_at(value, path)]
        else:
            paths = [(*path, step) for path in paths]
    yield from paths


class Embedded(NamedTuple):
    """An object at a path of another one: its text, or the object of which `field` is there."""

    path: Path
    value: Value
    field: str


def embedded(value: dict[str, Value]) -> Iterator[Embedded]:
    """The objects that an object holds as texts, or without the rest of them."""
    holder = holder_of(value)
    for form in holder.embedded if holder else ():
        for path in places(value, form.at):
            part = get(value, path)
            if isinstance(part, dict) and form.field and holds_text(value, form.mention):
                yield Embedded(path, {**form.rest, form.field: part}, form.field)
            elif isinstance(part, str) and not form.field and form.mention in part:
                yield Embedded(path, part, "")


def holds_text(value: Value, text: str) -> bool:
    """Whether a text occurs in any text or key of a value; the empty one never does."""
    if not text:
        return False
    stack = [value]
    while stack:  # in a third of the time that a generator of the parts takes
        part = stack.pop()
        if isinstance(part, str):
            if text in part:
                return True
        elif isinstance(part, dict):
            stack += part
            stack += part.values()
        elif isinstance(part, list):
            stack += part
    return False


def holds_object(value: Value, kinds: Collection[GroupKind]) -> bool:
    """Whether a value may contain an object of one of these kinds, as a mapping or as a text.

    A mapping of only strings is a reference, and a string of one line is not an object.
    """
    stack = [value]
    while stack:  # no generator of the parts, as in `holds_text`
        part = stack.pop()
        if isinstance(part, str):
            if "\n" in part and any(
                f"{kind.group}/" in part and kind.kind in part for kind in kinds
            ):
                return True
        elif isinstance(part, dict):
            if "kind" in part and group_kind_of(part) in kinds and not _is_reference(part):
                return True
            stack += part
            stack += part.values()
        elif isinstance(part, list):
            stack += part
    return False


def _is_reference(value: Mapping[str, Value]) -> bool:
    return all(isinstance(entry, str) for entry in value.values())


def _indices(value: Value, path: Path) -> range:
    items = get(value, path)
    return range(len(items) if isinstance(items, list) else 0)
