"""Reads the annotations at the root of a kind's schema, which tell how its controller works.

`x-typed`: how the controller's Go type writes an object that its expressions see. A controller
that reads an object into a Go type, and turns that into a map again, shows its expressions another
object than the stored one:

    omitempty   fields that are left out when they are false, zero or empty
    durations   fields that are written as Go prints a duration
    structs     fields that are there in any case
    defaults    what the API server puts where there is nothing
    evidence    where the type was read

`x-unwaited`, `x-passed` and `x-void`: what other fields of an object switch off. Each has `when`,
for each path the values that it may have, and `reason` and `help`, words of a message in which `{}`
is the value at the first path.

`x-unrendered`: the paths below which it takes a template in a text literally, each with the pattern
of an action.

`x-clock`: when the controller looks, and for how long it waits, as lists of terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.kind import TypedField, Unless
from celvet.schemas.reader.vocabulary import is_pattern, is_texts
from celvet.schemas.walk import steps

_LISTS = {"omitempty": "omitempty", "durations": "duration", "structs": "struct"}
_EVIDENCE = {"repository", "release", "path", "says"}
_WORDS = ("reason", "help")
_CLOCK = ("look", "timeout", "least", "retry")


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


def read_unwaited(content: Any, file: Path) -> tuple[Unless, ...]:
    """Why the controller does not wait for all that it applies; raises `CatalogError`."""
    if not isinstance(content, list):
        raise CatalogError(file, "`x-unwaited` is a list of reasons")
    return tuple(_unless(each, "x-unwaited", file) for each in content)


def read_passed(content: Any, file: Path) -> Mapping[str, Unless]:
    """When the controller does not wait for an object, by its kind; raises `CatalogError`."""
    if not isinstance(content, Mapping):
        raise CatalogError(file, "`x-passed` maps kinds to reasons")
    return {name: _unless(each, "x-passed", file) for name, each in content.items()}


def read_void(content: Any, file: Path) -> Mapping[tuple[str, ...], Unless]:
    """When the controller does not use a field, by its path; raises `CatalogError`."""
    if not isinstance(content, Mapping):
        raise CatalogError(file, "`x-void` maps paths to reasons")
    return {steps(path): _unless(each, "x-void", file) for path, each in content.items()}


def read_unrendered(content: Any, file: Path) -> Mapping[tuple[str, ...], str]:
    """The pattern of the actions that the controller does not render; raises `CatalogError`."""
    if not isinstance(content, Mapping) or not all(map(is_pattern, content.values())):
        raise CatalogError(file, "`x-unrendered` maps paths to patterns of an action")
    return {steps(path): pattern for path, pattern in content.items()}


def read_clock(given: Any, file: Path) -> Mapping[str, tuple[str, ...]]:
    """The terms of each time of a controller's waits; raises `CatalogError`."""
    if not isinstance(given, Mapping) or not all(
        key in _CLOCK and is_texts(terms) and terms for key, terms in given.items()
    ):
        raise CatalogError(file, f"`x-clock` maps {', '.join(_CLOCK)} to lists of terms")
    if given and "look" not in given:
        raise CatalogError(file, "`x-clock` needs `look`")
    return {key: tuple(terms) for key, terms in given.items()}


def _assure_evidence(evidence: Any, file: Path) -> None:
    if not isinstance(evidence, Mapping) or evidence.keys() != _EVIDENCE:
        raise CatalogError(file, "`evidence` of `x-typed` has repository, release, path and says")


def _made(root: TypedField, path: str) -> TypedField:
    for step in steps(path):
        root = root.fields.setdefault(step, TypedField())
    return root


def _unless(given: Any, annotation: str, file: Path) -> Unless:
    if not isinstance(given, Mapping) or given.keys() != {"when", *_WORDS}:
        raise CatalogError(file, f"a reason of `{annotation}` has when, reason and help")
    when, texts = given["when"], [given[word] for word in _WORDS]
    lists = isinstance(when, Mapping) and all(isinstance(each, list) for each in when.values())
    if not (when and lists and all(isinstance(text, str) for text in texts)):
        raise CatalogError(file, f"`when` of `{annotation}` maps paths to lists of values")
    return Unless({steps(path): tuple(values) for path, values in when.items()}, *texts)
