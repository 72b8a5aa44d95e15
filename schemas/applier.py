"""The kinds whose objects apply files of a repository, and those that make such objects.

`repository/appliers.json` and `repository/makers.json` have them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.record import record

FieldPath = tuple[str, ...]
_DATA = Path(__file__).parent / "repository/appliers.json"
_MAKERS = Path(__file__).parent / "repository/makers.json"
_PATHS = (
    "path",
    "source",
    "kustomization",
    "namespace",
    "metadata",
    "variables",
    "dependencies",
    "elsewhere",
)


@record
class Strictness:
    """The first release of a product in which a variable without a value fails the build.

    `undone` are words in files that may switch this off, or set values at admission.
    """

    target: str
    since: str
    undone: tuple[str, ...]


@record
class Applier:
    """A kind that applies what is below a path of a source.

    Each field is a path in the object. `kustomization` leads to the mapping with the fields of
    kustomize, `variables` to Flux's `postBuild`, `elsewhere` to the field that names another
    cluster. `running` are the groups and kinds of objects that are ready some time after they are
    applied, `slow` patterns of those that may take minutes, each with a usual time; `slow_defined`
    has such times for the kinds that objects of a kind define.
    """

    group: str
    kind: str
    strict: Strictness
    path: FieldPath
    source: FieldPath
    kustomization: FieldPath
    namespace: FieldPath
    metadata: FieldPath
    variables: FieldPath
    dependencies: FieldPath
    elsewhere: FieldPath
    running: frozenset[tuple[str, str]]
    slow: Mapping[str, str]
    slow_defined: Mapping[str, str]


def applier(group: str, kind: str) -> Applier | None:
    """The applier of this group and kind."""
    return next((item for item in appliers() if (item.group, item.kind) == (group, kind)), None)


@functools.cache
def appliers() -> tuple[Applier, ...]:
    """The kinds that apply directories of a repository."""
    entries = json.loads(_DATA.read_text(encoding="utf-8"))
    return tuple(
        Applier(
            group=entry["group"],
            kind=entry["kind"],
            strict=Strictness(**{**entry["strict"], "undone": tuple(entry["strict"]["undone"])}),
            slow=entry["slow"],
            slow_defined=entry["slowDefined"],
            running=frozenset(_group_and_kind(name) for name in entry["running"]),
            **{name: tuple(entry[name].split(".")) for name in _PATHS},
        )
        for entry in entries
    )


def _group_and_kind(name: str) -> tuple[str, str]:
    group, _, kind = name.rpartition("/")
    return group, kind


@record
class Maker:
    """A kind whose controller makes an object that applies files.

    `spec` leads to the mapping with all that counts, which has the field `needs`, and the patches
    to what is made below `kustomization`; `word` is in every file that has it. `object` is what is
    made: a mapping with the key `from` stands for the first text at one of these paths, of an
    object that has only `metadata` and this `spec`, or for `default`.
    """

    group: str
    kind: str
    word: str
    spec: FieldPath
    needs: FieldPath
    kustomization: FieldPath
    object: Mapping[str, Any]


@functools.cache
def makers() -> tuple[Maker, ...]:
    """The kinds that make objects which apply directories."""
    return tuple(
        Maker(
            group=holder["group"],
            kind=holder["kind"],
            word=holder["word"],
            spec=tuple(holder["spec"].split(".")),
            needs=tuple(entry["needs"].split(".")),
            kustomization=tuple(entry["kustomization"].split(".")),
            object=entry["object"],
        )
        for entry in json.loads(_MAKERS.read_text(encoding="utf-8"))
        for holder in entry["holders"]
    )


def maker(group: str, kind: str) -> Maker | None:
    """The maker of this group and kind."""
    return next((item for item in makers() if (item.group, item.kind) == (group, kind)), None)
