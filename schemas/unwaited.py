"""Reads `x-unwaited`: why a controller does not wait for all that it applies.

Each reason has `when`, for each path the values that it may have, and `reason` and `help`, words
of a message in which `{}` is the value at the first path.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.kind import Unless

_WORDS = ("reason", "help")


def read_unwaited(content: Any, file: Path) -> tuple[Unless, ...]:
    """The reasons that `x-unwaited` lists; raises `CatalogError`."""
    if not isinstance(content, list):
        raise CatalogError(file, "`x-unwaited` is a list of reasons")
    return tuple(_unless(each, file) for each in content)


def _unless(given: Any, file: Path) -> Unless:
    if not isinstance(given, Mapping) or given.keys() != {"when", *_WORDS}:
        raise CatalogError(file, "a reason of `x-unwaited` has when, reason and help")
    when, texts = given["when"], [given[word] for word in _WORDS]
    lists = isinstance(when, Mapping) and all(isinstance(each, list) for each in when.values())
    if not (when and lists and all(isinstance(text, str) for text in texts)):
        raise CatalogError(file, "`when` of `x-unwaited` maps paths to lists of values")
    paths = {tuple(path.split(".")): tuple(values) for path, values in when.items()}
    return Unless(paths, *texts)
