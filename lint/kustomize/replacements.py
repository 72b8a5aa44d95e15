"""Replacements: a value of one object written into fields of others.

Mirrors `api/filters/replacement` of kustomize 5.8. A value from an object that celvet does not
follow is unknown, and so is a field that a delimiter selects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from celvet.lint.kustomize.errors import (
    AbsentSourceError,
    KustomizeError,
    MissingSourceError,
    RefusedChangeError,
)
from celvet.lint.kustomize.generators import GENERATORS
from celvet.lint.kustomize.resource import Resource, SourcePlace
from celvet.lint.kustomize.selectors import selector
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, get, list_at, mapping_at, text_at
from celvet.regex import regex

Sources: TypeAlias = Callable[[], Iterable[Resource]]
"""The objects of a build as they are before a replacement."""

_STEP = regex(r"(?:\[([^\]]*)\]|((?:[^.\\]|\\.)+))(?:\.|\Z)")
_OTHER_TYPES = regex(r"(?i:true|false|null|yes|no|on|off|y|n|~|)|[-+.\d][-+.:\d_a-fox]*")
"""Texts that may be read as another type without quotes."""
_WORD = regex(r"[\w-]+")
_NUMBER = regex(r"0|[1-9][0-9]{0,17}")
_INDEX = regex(r"[0-9]{1,18}")
"""An index for kustomize; longer ones and other digits are names of fields to it."""

_METADATA_NAME = "metadata.name"


def replacement(
    entry: Value, sources: Sources, place: SourcePlace
) -> Callable[[Resource], Resource]:
    """The effect of one entry on an object."""
    targets = [target for target in list_at(entry, ("targets",)) if isinstance(target, dict)]
    selections = [(target, _selects(target)) for target in targets]
    cache: list[Value] = []

    def value() -> Value:
        if not cache:
            cache.append(_value(entry, sources))
        return cache[0]

    def apply(resource: Resource) -> Resource:
        for target, selects in selections:
            if selects(resource):
                for text in _paths(target):
                    resource = _write_value(resource, text, value(), target, place)
        return resource

    return apply


def _paths(target: Mapping[str, Value]) -> Sequence[str]:
    return [str(field_path) for field_path in list_at(target, ("fieldPaths",))] or [_METADATA_NAME]


def _selects(target: Mapping[str, Value]) -> Callable[[Resource], bool]:
    selection = selector(mapping_at(target, ("select",)))
    rejections = [
        selector(rejection)
        for rejection in list_at(target, ("reject",))
        if isinstance(rejection, dict)
    ]
    return lambda resource: (
        selection.selects_target(resource)
        and not any(rejection.rejects_target(resource) for rejection in rejections)
    )


def _value(entry: Value, sources: Sources) -> Value:
    """The written value; `ABSENT` if the repository does not show it."""
    if isinstance(constant := get(entry, ("sourceValue",)), str):
        return constant
    source = mapping_at(entry, ("source",))
    if mapping_at(source, ("options",)):
        return ABSENT
    exact = {
        key: f"{re.escape(text)}" if (text := text_at(source, (key,))) else ""
        for key in ("group", "version", "kind", "name", "namespace")
    }
    source_selector = selector(exact)
    candidates = [*sources()]
    resources = [resource for resource in candidates if source_selector.selects(resource)]
    path = _steps(text_at(source, ("fieldPath",)) or _METADATA_NAME)
    plain = path is not None and not any(map(_is_choice, path))
    shows_all = all(item.knows("kind") and item.knows("metadata") for item in candidates)
    if not resources and shows_all and source.get("kind") not in GENERATORS.values():
        raise AbsentSourceError(f"a replacement reads {_title(source)}, which is not there")
    if len(resources) != 1 or path is None or not plain or not resources[0].knows(*path):
        return ABSENT
    value: Value = get(resources[0].value, path, ABSENT)
    if value is ABSENT:
        # `getReplacement` of api/filters/replacement/replacement.go
        field = ".".join(map(str, path))
        raise MissingSourceError(f"a replacement reads `{field}`, which {_title(source)} lacks")
    return value


def _title(source: Mapping[str, Value]) -> str:
    return f"`{text_at(source, ('kind',))} {text_at(source, ('name',))}".strip() + "`"


def _steps(text: str) -> Path | None:
    """The steps of a field path, wildcards and conditions among them; None if it has no form."""
    steps: list[str] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return None
        bracket_text = match[1]
        steps.append(
            f"[{bracket_text}]"
            if bracket_text and "=" in bracket_text
            else bracket_text or _plain(match[2])
        )
        at = match.end()
    return tuple(steps)


def _plain(step: str | None) -> str:
    return (step or "").replace("\\.", ".")


def _is_choice(step: str | int) -> bool:
    """Whether a step chooses elements of a list."""
    return step == "*" or bool(_INDEX.fullmatch(str(step))) or str(step).startswith("[")


def _write_value(
    resource: Resource, text: str, value: Value, target: Mapping[str, Value], place: SourcePlace
) -> Resource:
    steps = _steps(text)
    options = mapping_at(target, ("options",))
    paths = _matching_paths(resource, steps) if steps else None
    if paths is None:
        return resource.with_unknown(_plain_start(text))
    for path in paths:
        old = get(resource.value, path, ABSENT)
        if old is ABSENT and not options.get("create"):
            is_plain = path == steps and resource.knows(*path)
            error = RefusedChangeError if is_plain else KustomizeError
            raise error(f"a replacement finds no field `{text}`")
        new = ABSENT if options.get("delimiter") else _converted_value(old, value)
        if new is ABSENT or not resource.knows(*path):
            resource = resource.with_unknown(path)
        else:
            resource = resource.with_field(path, new, place)
    return resource


def _matching_paths(resource: Resource, steps: Path) -> list[Path] | None:
    """The paths that steps lead to; None if they choose nothing, or this is not certain."""
    paths: list[Path] = [()]
    for step in steps:
        if not _is_choice(step):
            paths = [(*path, step) for path in paths]
            continue
        further: list[Path] = []
        for path in paths:
            elements = get(resource.value, path) if resource.knows(*path) else None
            indices = _selected_indices(elements, str(step))
            further += [(*path, index) for index in indices]
        if not further:
            return None
        paths = further
    return paths


def _selected_indices(value: Value, step: str) -> list[int]:
    """The indices of the elements of a list that a step chooses."""
    if not isinstance(value, list):
        return []
    if _INDEX.fullmatch(step):
        return [int(step)] if int(step) < len(value) else []
    if step == "*":
        return [*range(len(value))]
    key, _, text = step[1:-1].partition("=")
    if not _WORD.fullmatch(text):
        return []  # a regular expression
    return [at for at, element in enumerate(value) if text in text_at(element, (key,))]


def _converted_value(old: Value, new: Value) -> Value:
    """What takes the place of an old value: kustomize writes the new text, and keeps the type.

    `ABSENT` where this is not certain: a new field, or what another replacement has made, has the
    type that its text would have without quotes.
    """
    if not isinstance(new, str | int):
        return ABSENT
    text = str(new).lower() if isinstance(new, bool) else str(new)
    if old is ABSENT or isinstance(old, str):
        return ABSENT if _OTHER_TYPES.fullmatch(text) else text
    if isinstance(old, bool):
        return {"true": True, "false": False}.get(text, ABSENT)
    return int(text) if isinstance(old, int) and _NUMBER.fullmatch(text) else ABSENT


def _plain_start(text: str) -> Path:
    """The part of a field path before its first wildcard."""
    return tuple(step for step in re.split(r"[.\[]", text)[:2] if step.isidentifier())
