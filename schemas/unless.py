"""Reads `x-unwaited` and `x-void`: what other fields of an object switch off.

Each has `when`, for each path the values that it may have, and `reason` and `help`, words of a
message in which `{}` is the value at the first path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.kind import Unless

_WORDS = ("reason", "help")
_STEP = re.compile(r"\[([^\]]+)\]|([^.\[]+)")
"""A step of a path; one with dots in it stands in brackets, as in `metadata.labels[a.io/b]`."""


def read_unwaited(content: Any, file: Path) -> tuple[Unless, ...]:
    """Why the controller does not wait for all that it applies; raises `CatalogError`."""
    if not isinstance(content, list):
        raise CatalogError(file, "`x-unwaited` is a list of reasons")
    return tuple(_unless(each, "x-unwaited", file) for each in content)


def read_void(content: Any, file: Path) -> Mapping[tuple[str, ...], Unless]:
    """When the controller does not use a field, by its path; raises `CatalogError`."""
    if not isinstance(content, Mapping):
        raise CatalogError(file, "`x-void` maps paths to reasons")
    return {_steps(path): _unless(each, "x-void", file) for path, each in content.items()}


def _unless(given: Any, annotation: str, file: Path) -> Unless:
    if not isinstance(given, Mapping) or given.keys() != {"when", *_WORDS}:
        raise CatalogError(file, f"a reason of `{annotation}` has when, reason and help")
    when, texts = given["when"], [given[word] for word in _WORDS]
    lists = isinstance(when, Mapping) and all(isinstance(each, list) for each in when.values())
    if not (when and lists and all(isinstance(text, str) for text in texts)):
        raise CatalogError(file, f"`when` of `{annotation}` maps paths to lists of values")
    return Unless({_steps(path): tuple(values) for path, values in when.items()}, *texts)


def _steps(path: str) -> tuple[str, ...]:
    return tuple(bracketed or plain for bracketed, plain in _STEP.findall(path))
