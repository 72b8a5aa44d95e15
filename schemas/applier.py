"""The kinds whose objects apply files of a repository, as `repository/appliers.json` has them."""

from __future__ import annotations

import functools
import json
from pathlib import Path

from celvet.record import record

FieldPath = tuple[str, ...]
_DATA = Path(__file__).parent / "repository/appliers.json"
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
    kustomize, `variables` to Flux's `postBuild`, `elsewhere` to the field that names
    another cluster.
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


def applier(group: str, kind: str) -> Applier | None:
    """The applier of this group and kind."""
    return next((item for item in appliers() if (item.group, item.kind) == (group, kind)), None)


@functools.cache
def appliers() -> tuple[Applier, ...]:
    """All appliers."""
    entries = json.loads(_DATA.read_text(encoding="utf-8"))
    return tuple(
        Applier(
            group=entry["group"],
            kind=entry["kind"],
            strict=Strictness(**{**entry["strict"], "undone": tuple(entry["strict"]["undone"])}),
            running=frozenset(_group_and_kind(name) for name in entry["running"]),
            **{name: tuple(entry[name].split(".")) for name in _PATHS},
        )
        for entry in entries
    )


def _group_and_kind(name: str) -> tuple[str, str]:
    group, _, kind = name.rpartition("/")
    return group, kind
