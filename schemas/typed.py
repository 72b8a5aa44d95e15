"""How a controller's Go type writes an object that its expressions see.

A controller that reads an object into a Go type, and turns that into a map again, shows its
expressions another object than the stored one. A kind's `x-typed` says in what they differ:

    omitempty   fields that are left out when they are false, zero or empty
    durations   fields that are written as Go prints a duration
    structs     fields that are there in any case
    defaults    what the API server puts where there is nothing
    evidence    where the type was read
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.kind import TypedField
from celvet.schemas.vocabulary import is_texts
from celvet.schemas.walk import ITEM

_LISTS = {"omitempty": "omitempty", "durations": "duration", "structs": "struct"}
_EVIDENCE = {"repository", "release", "path", "says"}


def read_typed(content: Any, file: Path) -> TypedField | None:
    """The Go type that `x-typed` describes, None without; raises `CatalogError`."""
    if content is None:
        return None
    if not isinstance(content, Mapping) or not content.keys() <= {*_LISTS, "defaults", "evidence"}:
        raise CatalogError(file, f"`x-typed` has {', '.join(_LISTS)}, defaults and evidence")
    _assure_evidence(content.get("evidence"), file)
    root = TypedField()
    for name, mark in _LISTS.items():
        given = content.get(name, [])
        if not is_texts(given):
            raise CatalogError(file, f"`{name}` of `x-typed` is a list of paths")
        for path in given:
            setattr(_made(root, path), mark, True)
    for path, value in content.get("defaults", {}).items():
        _made(root, path).default = value
    return root


def _assure_evidence(evidence: Any, file: Path) -> None:
    if not isinstance(evidence, Mapping) or evidence.keys() != _EVIDENCE:
        raise CatalogError(file, "`evidence` of `x-typed` has repository, release, path and says")


def _made(root: TypedField, path: str) -> TypedField:
    for step in _steps(path):
        root = root.fields.setdefault(step, TypedField())
    return root


def _steps(path: str) -> Iterator[str]:
    for name in path.split("."):
        yield name.removesuffix(ITEM)
        if name.endswith(ITEM):
            yield ITEM
