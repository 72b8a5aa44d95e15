"""The names in a kustomization that lead nowhere, for which kustomize refuses the whole build.

Mirrors `accumulateResources`, `accumulateComponents` and `accumulateDirectory` of kustomize 5.8
(api/internal/target/kusttarget.go).
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping

from celvet.lint.kustomize.fields import Fields
from celvet.lint.kustomize.generators import GENERATORS
from celvet.lint.kustomize.resource import SourcePlace
from celvet.lint.model import Path, Value
from celvet.lint.repository.builds.readings import misread_inclusion, misread_kustomization
from celvet.lint.repository.documents import KUSTOMIZATION_FILES
from celvet.lint.repository.files import Files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.values import list_at, mapping_at, text_at
from celvet.regex import regex

REMOTE = regex(
    r"\w+://|git::|[\w-]+@[\w.-]+:|github\.com[/:]|[\w.-]+\.\w+/(.*\?ref=|.*\.git(//|\?|$))"
)
"""The names that kustomize fetches from elsewhere."""

_COMPONENT = "Component"
_FIELDS_WITH_PATHS = ("patches", "patchesJson6902", "replacements")
_LISTS_OF_FILES = (
    "configurations",
    "crds",
    "generators",
    "patchesStrategicMerge",
    "transformers",
    "validators",
)


def resource_refusal(
    files: Files, target: str, place: SourcePlace, *, within: Collection[str]
) -> BuildFailure | None:
    """Why a name under `resources` cannot be built; None if it can be, or if that is unknown.

    `within` are the directories that include each other, down to the one with the name.
    """
    lack = _cycle(within, target, place) or _absence(files, target, place)
    if lack or not files.is_directory(target):
        return lack
    if _kind(files, target) == _COMPONENT:
        help_ = "List it under `components`."
        return BuildFailure(f"`{target}` is a component, and no resource", help_, (place,))
    return _without_kustomization(files, target, place) or misread_inclusion(files, target)


def component_refusal(
    files: Files, target: str, place: SourcePlace, *, within: Collection[str]
) -> BuildFailure | None:
    """Why a name under `components` cannot be built; None if it can be, or if that is unknown."""
    lack = _cycle(within, target, place) or _absence(files, target, place)
    if lack:
        return lack
    if not files.is_directory(target):
        help_ = "Name the directory of the component."
        return BuildFailure(f"the component `{target}` is not a directory", help_, (place,))
    if _kind(files, target) not in ("", _COMPONENT):
        help_ = "Set its `kind` to `Component`, or list it under `resources`."
        return BuildFailure(f"`{target}` is a kustomization, and no component", help_, (place,))
    return (
        _without_kustomization(files, target, place)
        or misread_kustomization(files, target)
        or misread_inclusion(files, target)
    )


def _cycle(directories: Collection[str], target: str, place: SourcePlace) -> BuildFailure | None:
    """Why none of `directories`, which include each other, can include a directory around it.

    Mirrors `errIfArgEqualOrHigher` of kustomize 5.8 (api/internal/loader/fileloader.go).
    """
    if target in directories:
        return BuildFailure(f"`{target or '.'}` includes itself", "Name files.", (place,))
    if any(not target or directory.startswith(f"{target}/") for directory in directories):
        reason = f"a directory includes `{target or '.'}`, in which it lies"
        return BuildFailure(reason, "Name files, or a directory beside it.", (place,))
    return None


def absent_file(files: Files, directory: str, fields: Fields) -> BuildFailure | None:
    """Why kustomize cannot read a file for a generator or a transformer of a directory."""
    for path, name in _named_files(fields.value):
        target = posixpath.normpath(posixpath.join(directory, name))
        is_outside = target.startswith(("..", "/"))
        if not name or is_outside or REMOTE.match(name) or "${" in name:
            continue
        if lack := _absence(files, target, fields.at(path)):
            return lack
    return None


def _named_files(value: Mapping[str, Value]) -> Iterator[tuple[Path, str]]:
    """The files that a kustomization names beside its resources, each with the path of its name."""
    yield ("openapi", "path"), text_at(value, ("openapi", "path"))
    for field in _FIELDS_WITH_PATHS:
        for index, entry in enumerate(list_at(value, (field,))):
            yield (field, index, "path"), text_at(entry, ("path",))
    for field in _LISTS_OF_FILES:
        for index, name in enumerate(list_at(value, (field,))):
            if isinstance(name, str) and ":" not in name:  # else it is the content itself
                yield (field, index), name
    for field in GENERATORS:
        for index, entry in enumerate(list_at(value, (field,))):
            for key in ("files", "envs"):
                for number, text in enumerate(list_at(entry, (key,))):
                    key_of_file, _, name = str(text).partition("=")
                    yield (field, index, key, number), name or key_of_file


def _absence(files: Files, target: str, place: SourcePlace) -> BuildFailure | None:
    if files.exists(target) or files.has_submodules:
        return None
    help_ = "Correct the name, or add what is missing."
    return BuildFailure(f"`{target}` does not exist", help_, (place,), absent=True)


def _without_kustomization(files: Files, directory: str, place: SourcePlace) -> BuildFailure | None:
    names = (posixpath.join(directory, name) for name in KUSTOMIZATION_FILES)
    if files.has_submodules or any(map(files.exists, names)):
        return None
    help_ = "Name its files, or add a kustomization."
    return BuildFailure(f"`{directory}` has no `kustomization.yaml`", help_, (place,), absent=True)


def _kind(files: Files, directory: str) -> str:
    """The kind of the kustomization of a directory; empty if it cannot be read."""
    name = files.kustomization(directory)
    objects = [document.value for document in files.manifest(name).documents] if name else []
    if len(objects) != 1 or not isinstance(objects[0], dict):
        return ""
    return str(mapping_at(objects[0]).get("kind") or "Kustomization")
