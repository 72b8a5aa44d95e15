"""Reads `x-unwaited` and `x-void`: what other fields of an object switch off.

Each has `when`, for each path the values that it may have, and `reason` and `help`, words of a
message in which `{}` is the value at the first path.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.kind import Unless
from celvet.schemas.walk import steps

_WORDS = ("reason", "help")


def read_unwaited(content: Any, file: Path) -> tuple[Unless, ...]:
    """Why the controller does not wait for all that it applies; raises `CatalogError`."""
    if not isinstance(content, list):
        raise CatalogError(file, "`x-unwaited` is a list of reasons")
    return tuple(_unless(each, "x-unwaited", file) for each in content)


def read_void(content: Any, file: Path) -> Mapping[tuple[str, ...], Unless]:
    """When the controller does not use a field, by its path; raises `CatalogError`."""
    if not isinstance(content, Mapping):
        raise CatalogError(file, "`x-void` maps paths to reasons")
    return {steps(path): _unless(each, "x-void", file) for path, each in content.items()}


def _unless(given: Any, annotation: str, file: Path) -> Unless:
    if not isinstance(given, Mapping) or given.keys() != {"when", *_WORDS}:
        raise CatalogError(file, f"a reason of `{annotation}` has when, reason and help")
    when, texts = given["when"], [given[word] for word in _WORDS]
    lists = isinstance(when, Mapping) and all(isinstance(each, list) for each in when.values())
    if not (when and lists and all(isinstance(text, str) for text in texts)):
        raise CatalogError(file, f"`when` of `{annotation}` maps paths to lists of values")
    return Unless({steps(path): tuple(values) for path, values in when.items()}, *texts)
