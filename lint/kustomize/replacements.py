"""Replacements: a value of one object written into fields of others.

Mirrors `api/filters/replacement` of kustomize 5.8. A value from an object that celvet does not
follow is unknown, and so is a field that a wildcard, an index or a delimiter selects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.merge import merged
from celvet.lint.kustomize.resource import FieldChange, Resource, SourcePlace
from celvet.lint.kustomize.selectors import selector
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, get, list_at, mapping_at, text_at
from celvet.regex import regex

Sources: TypeAlias = Callable[[], Iterable[Resource]]
"""The objects of a build as they are before a replacement."""

_STEP = regex(r"(?:\[([^\]]*)\]|((?:[^.\\]|\\.)+))(?:\.|\Z)")
_OTHER_TYPES = regex(r"(?i:true|false|null|yes|no|on|off|y|n|~|)|[-+.\d][-+.:\d_a-fox]*")
"""Texts that may be read as another type without quotes."""
_METADATA_NAME = "metadata.name"


def replacement(
    entry: Value, sources: Sources, place: SourcePlace
) -> Callable[[Resource], Resource]:
    """The effect of one entry on an object."""
    targets = [each for each in list_at(entry, ("targets",)) if isinstance(each, dict)]
    chosen = [(each, _selects(each)) for each in targets]
    cached: list[Value] = []

    def value() -> Value:
        if not cached:
            cached.append(_value(entry, sources))
        return cached[0]

    def apply(resource: Resource) -> Resource:
        for target, selects in chosen:
            if selects(resource):
                for text in _paths(target):
                    resource = _written(resource, text, value(), target, place)
        return resource

    return apply


def _paths(target: Mapping[str, Value]) -> Sequence[str]:
    return [str(each) for each in list_at(target, ("fieldPaths",))] or [_METADATA_NAME]


def _selects(target: Mapping[str, Value]) -> Callable[[Resource], bool]:
    wanted = selector(mapping_at(target, ("select",)))
    refused = [selector(each) for each in list_at(target, ("reject",)) if isinstance(each, dict)]
    return lambda found: wanted.selects(found) and not any(each.selects(found) for each in refused)


def _value(entry: Value, sources: Sources) -> Value:
    """The written value; `ABSENT` if the repository does not show it."""
    if isinstance(fixed := get(entry, ("sourceValue",)), str):
        return fixed
    source = mapping_at(entry, ("source",))
    if mapping_at(source, ("options",)):
        return ABSENT
    exact = {
        key: f"{re.escape(text)}" if (text := text_at(source, (key,))) else ""
        for key in ("group", "version", "kind", "name", "namespace")
    }
    wanted = selector(exact)
    found = [each for each in sources() if wanted.selects(each)]
    path = _path(text_at(source, ("fieldPath",)) or _METADATA_NAME)
    if len(found) != 1 or path is None or not found[0].knows(*path):
        return ABSENT
    return get(found[0].value, path, ABSENT)


def _path(text: str) -> Path | None:
    """A field path without wildcards and conditions; None for any other."""
    steps: list[str] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            return None
        step = found[1] if found[1] is not None else found[2].replace("\\.", ".")
        if step == "*" or "=" in step:
            return None
        steps.append(step)
        at = found.end()
    return tuple(steps)


def _written(
    resource: Resource, text: str, value: Value, target: Mapping[str, Value], place: SourcePlace
) -> Resource:
    path = _path(text)
    options = mapping_at(target, ("options",))
    if path is None or any(str(step).isdigit() for step in path):
        return resource.not_known(_plain_start(text))
    old = get(resource.value, path, ABSENT)
    if old is ABSENT and not options.get("create"):
        raise KustomizeError(f"a replacement finds no field `{text}`")
    plain = not options.get("delimiter") and (old is ABSENT or isinstance(old, str))
    if not (plain and isinstance(value, str)) or _OTHER_TYPES.fullmatch(value):
        return resource.not_known(path)
    patch: Value = value
    for step in reversed(path):
        patch = {step: patch}
    return resource.changed(merged(resource.value, patch), [FieldChange(place, path)])


def _plain_start(text: str) -> Path:
    """The part of a field path before its first wildcard."""
    return tuple(step for step in re.split(r"[.\[]", text)[:2] if step.isidentifier())
