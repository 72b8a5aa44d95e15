"""Finds the kustomize patches in an object, and the files that it uses as patches."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest.objects.held import holder_of, places
from celvet.lint.model import Path, Value
from celvet.lint.values import list_at, text_at
from celvet.record import field, record
from celvet.regex import regex

_MERGES = "patchesStrategicMerge"
_PLAIN_NAME = regex(r"[A-Za-z][A-Za-z0-9.-]*")
"""A target is a regular expression; only a plain word names a kind."""


@record
class Patch:
    """One inline patch: the path to its text, or to its mapping or list if it is not a text.

    `target` has the `kind` and `apiVersion` that the patch's target names, each
    with the path to the field that names it.
    """

    path: Path
    body: Value
    target: dict[str, tuple[str, Path]] = field(default_factory=dict)


def patches(value: dict[str, Value]) -> Iterator[Patch]:
    """Yield the inline patches of an object that holds a kustomization.

    Fields as of kustomize's `types.Kustomization`, and of Flux, whose HelmReleases once had
    `patchesStrategicMerge` and `patchesJson6902` without texts.
    """
    for place, entry in _entries(value):
        if _MERGES in place:
            yield Patch(place, entry)
        elif isinstance(entry, dict) and isinstance(entry.get("patch"), str | list):
            yield Patch((*place, "patch"), entry["patch"], _target(entry, place))


def patch_files(value: dict[str, Value]) -> Iterator[tuple[str, dict[str, str]]]:
    """The files that are patches of an object that holds a kustomization.

    Each with the `kind` and `apiVersion` that its target names.
    """
    for place, entry in _entries(value):
        if _MERGES in place:
            if isinstance(entry, str) and "\n" not in entry:
                yield entry, {}
        elif isinstance(entry, dict) and (file := text_at(entry, ("path",))):
            yield file, {key: text for key, (text, _) in _target(entry, place).items()}


def _entries(value: dict[str, Value]) -> Iterator[tuple[Path, Value]]:
    """The entries of the fields with patches, each with its path."""
    for base in _bases(value):
        for name in ("patches", "patchesJson6902", _MERGES):
            for index, entry in enumerate(list_at(value, (*base, name))):
                yield (*base, name, index), entry


def _bases(value: dict[str, Value]) -> Iterator[Path]:
    """The paths of the mappings that hold kustomize's fields."""
    holder = holder_of(value)
    for pattern in holder.kustomizations if holder else ():
        yield from places(value, pattern)


def _target(entry: dict[str, Value], place: Path) -> dict[str, tuple[str, Path]]:
    target = entry.get("target")
    if not isinstance(target, dict):
        return {}
    fields: dict[str, tuple[str, Path]] = {}
    kind, group, version = (str(target.get(name, "")) for name in ("kind", "group", "version"))
    if _PLAIN_NAME.fullmatch(kind):
        fields["kind"] = (kind, (*place, "target", "kind"))
    if _PLAIN_NAME.fullmatch(group):
        # without a version in the target, only the group of the apiVersion counts
        fields["apiVersion"] = (f"{group}/{version or 'v1'}", (*place, "target", "group"))
    return fields
