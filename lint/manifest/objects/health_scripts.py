"""Finds Argo CD's health scripts: in its ConfigMap, in the values of its chart, in its operator.

A key `resource.customizations.health.<group>_<Kind>` has a script wherever it is: in `data` of
`argocd-cm`, in `configs.cm` of the chart's values, in a patch
(`util/settings/settings.go` of argoproj/argo-cd v3.5.1, `getResourceOverrideFromSplitKeys`). The
operator's `ArgoCD` has them in `resourceHealthChecks` (`api/v1beta1/argocd_types.go` of
argoproj-labs/argocd-operator v0.17.0).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from celvet.lint.discovery.discover import SCRIPT
from celvet.lint.model import GroupKind, Path, Value
from celvet.record import record

PREFIX = "resource.customizations."
OPERATOR = "resourceHealthChecks"
WORDS = (PREFIX, OPERATOR)
"""A text without any of these has no script."""

FILE = SCRIPT
"""The name of a script in a checkout of Argo CD, below directories for its group and kind."""

_MOST_DEPTH = 12


@record
class HealthScript:
    """A health script at a path of a document; `libraries` opens Lua's standard library to it."""

    path: Path
    group_kind: GroupKind
    text: str
    libraries: bool = False


def holds_scripts(text: str) -> bool:
    """Whether a text may have a script."""
    return any(word in text for word in WORDS)


def health_scripts(value: Value, path: Path = ()) -> Iterator[HealthScript]:
    """The scripts in a value, in the order of their places."""
    if len(path) > _MOST_DEPTH:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from health_scripts(item, (*path, index))
    if not isinstance(value, dict):
        return
    for key, part in value.items():
        if key.startswith(f"{PREFIX}health.") and isinstance(part, str):
            yield from _of_key(value, key, part, (*path, key))
        elif key == OPERATOR and isinstance(part, list):
            yield from _of_operator(part, (*path, key))
        else:
            yield from health_scripts(part, (*path, key))


def opens_libraries(data: Mapping[str, Value], name: str) -> bool:
    """Whether data opens the standard library for a kind, by `<group>_<Kind>`."""
    return data.get(f"{PREFIX}useOpenLibs.{name}") == "true"


def _of_key(data: Mapping[str, Value], key: str, text: str, path: Path) -> Iterator[HealthScript]:
    name = key.removeprefix(f"{PREFIX}health.")
    group, separator, kind = name.rpartition("_")
    if "_" not in group and (separator or kind):
        yield HealthScript(path, GroupKind(group, kind), text, opens_libraries(data, name))


def _of_operator(entries: list[Value], path: Path) -> Iterator[HealthScript]:
    for index, entry in enumerate(entries):
        if isinstance(entry, dict) and isinstance(entry.get("check"), str):
            group_kind = GroupKind(str(entry.get("group") or ""), str(entry.get("kind") or ""))
            yield HealthScript((*path, index, "check"), group_kind, entry["check"])


def script_in_file(name: str, text: str) -> HealthScript:
    """The script in a file of a checkout, which has the library open.

    Its directories are group and kind; `_` stands for any text
    (`util/lua/lua.go`, `getWildcardBuiltInHealthOverrideLua`).
    """
    *_, group, kind, _ = ("", "", *PurePosixPath(name.replace(os.sep, "/")).parts)
    group_kind = GroupKind(*(part.replace("_", "*") for part in (group, kind)))
    return HealthScript((), group_kind, text, libraries=True)
