"""What an object holds, as the data of its kind tells: other objects, and kustomizations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import Path, Value
from celvet.lint.values import get, group_kind_of
from celvet.schemas.holder import FieldPattern, Holder, holder


def holder_of(value: Mapping[str, Value]) -> Holder | None:
    """What is known of the kind of an object that may hold others."""
    named = group_kind_of(value)
    if not named.group and any(value.get(key) is not None for key in ("apiVersion", "kind")):
        return None
    return holder(named.group, named.kind)


def places(value: Value, pattern: FieldPattern) -> Iterator[Path]:
    """The paths in a value that a pattern leads to, whether anything is there or not."""
    paths: list[Path] = [()]
    for step in pattern:
        if step == "[]":
            paths = [(*path, index) for path in paths for index in _indices(value, path)]
        else:
            paths = [(*path, step) for path in paths]
    yield from paths


def holds_text(value: Value, wanted: str) -> bool:
    """Whether a text stands in any text or key of a value; the empty one never does."""
    stack = [value] if wanted else []
    while stack:
        part = stack.pop()
        if isinstance(part, str) and wanted in part:
            return True
        if isinstance(part, dict):
            stack += (*part.keys(), *part.values())
        elif isinstance(part, list):
            stack += part
    return False


def _indices(value: Value, path: Path) -> range:
    found = get(value, path)
    return range(len(found) if isinstance(found, list) else 0)
