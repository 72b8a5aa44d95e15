"""Reads the annotations at the root of a kind's schema, which say how its controller works.

`x-typed`: the object that expressions see, if the controller reads it into a Go type and turns
that into a map again. It then differs from the stored object:

    omitempty   fields that are left out when they are false, zero or empty
    durations   fields that are written as Go prints a duration
    structs     fields that are there in any case
    nulls       fields that are null where there is nothing, as an unset time is
    defaults    what the API server puts where there is nothing
    earlier     what it put there `before` a release of a product (`target`)
    evidence    where the type was read

`x-unwaited`, `x-passed` and `x-void`: which fields switch off others. Each has `when`, the values
for each path that have this effect, and `reason` and `help`, texts for a message, in which `{}` is
the value at the first path.

`x-unrendered`: the paths below which the controller does not render templates, each with the
pattern of an action that it takes literally.

`x-clock`: how often the controller checks and how long it waits, as lists of terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celvet.regex import regex
from celvet.schemas.errors import FormError
from celvet.schemas.kind import EarlierDefaults, TypedField, Unless
from celvet.schemas.reader.vocabulary import is_pattern, is_texts
from celvet.schemas.walk import steps

_LISTS = {
    "omitempty": "omitempty",
    "durations": "duration",
    "structs": "struct",
    "nulls": "null",
}
_TYPED = ("defaults", "earlier", "evidence")
_EARLIER = {"target", "before", "defaults"}
_EVIDENCE = {"repository", "release", "path", "says"}
_RELEASE = regex(r"\d+(\.\d+)*")
_WORDS = ("reason", "help")
_CLOCK = ("look", "timeout", "least", "retry")


def read_typed(content: Any) -> TypedField | None:
    """The Go type that `x-typed` describes, None without the key; raises `FormError`."""
    if content is None:
        return None
    if not isinstance(content, Mapping) or not content.keys() <= {*_LISTS, *_TYPED}:
        known = ", ".join((*_LISTS, *_TYPED))
        raise FormError(f"`x-typed` has some of {known}")
    _assure_evidence(content.get("evidence"))
    root = TypedField()
    for name, mark in _LISTS.items():
        given = content.get(name, [])
        if not is_texts(given):
            raise FormError(f"`{name}` of `x-typed` is a list of paths")
        for path in given:
            setattr(_made(root, path), mark, True)
    for path, value in content.get("defaults", {}).items():
        _made(root, path).default = value
    return root


def read_earlier(content: Any) -> EarlierDefaults | None:
    """The `earlier` defaults of `x-typed`, None without the key; raises `FormError`."""
    given = (content or {}).get("earlier")
    if given is None:
        return None
    if not isinstance(given, Mapping) or given.keys() != _EARLIER:
        raise FormError("`earlier` of `x-typed` has target, before and defaults")
    if not isinstance(given["defaults"], Mapping) or not _RELEASE.fullmatch(str(given["before"])):
        raise FormError("`earlier` of `x-typed` has defaults by path, before a release")
    defaults = {steps(path): default for path, default in given["defaults"].items()}
    return EarlierDefaults(given["target"], given["before"], defaults)


def read_unwaited(content: Any) -> tuple[Unless, ...]:
    """When the controller does not wait for everything it applies; raises `FormError`."""
    if not isinstance(content, list):
        raise FormError("`x-unwaited` is a list of reasons")
    return tuple(_unless(each, "x-unwaited") for each in content)


def read_passed(content: Any) -> Mapping[str, Unless]:
    """When the controller does not wait for an object, by its kind; raises `FormError`."""
    if not isinstance(content, Mapping):
        raise FormError("`x-passed` maps kinds to reasons")
    return {name: _unless(each, "x-passed") for name, each in content.items()}


def read_void(content: Any) -> Mapping[tuple[str, ...], Unless]:
    """When the controller does not use a field, by its path; raises `FormError`."""
    if not isinstance(content, Mapping):
        raise FormError("`x-void` maps paths to reasons")
    return {steps(path): _unless(each, "x-void") for path, each in content.items()}


def read_unrendered(content: Any) -> Mapping[tuple[str, ...], str]:
    """The pattern of the actions that the controller does not render; raises `FormError`."""
    if not isinstance(content, Mapping) or not all(map(is_pattern, content.values())):
        raise FormError("`x-unrendered` maps paths to patterns of an action")
    return {steps(path): pattern for path, pattern in content.items()}


def read_clock(given: Any) -> Mapping[str, tuple[str, ...]]:
    """The terms of each time in a controller's wait; raises `FormError`."""
    if not isinstance(given, Mapping) or not all(
        key in _CLOCK and is_texts(terms) and terms for key, terms in given.items()
    ):
        raise FormError(f"`x-clock` maps {', '.join(_CLOCK)} to lists of terms")
    if given and "look" not in given:
        raise FormError("`x-clock` needs `look`")
    return {key: tuple(terms) for key, terms in given.items()}


def _assure_evidence(evidence: Any) -> None:
    if not isinstance(evidence, Mapping) or evidence.keys() != _EVIDENCE:
        raise FormError("`evidence` of `x-typed` has repository, release, path and says")


def _made(root: TypedField, path: str) -> TypedField:
    for step in steps(path):
        root = root.fields.setdefault(step, TypedField())
    return root


def _unless(given: Any, annotation: str) -> Unless:
    if not isinstance(given, Mapping) or given.keys() != {"when", *_WORDS}:
        raise FormError(f"a reason of `{annotation}` has when, reason and help")
    when, texts = given["when"], [given[word] for word in _WORDS]
    lists = isinstance(when, Mapping) and all(isinstance(each, list) for each in when.values())
    if not (when and lists and all(isinstance(text, str) for text in texts)):
        raise FormError(f"`when` of `{annotation}` maps paths to lists of values")
    return Unless({steps(path): tuple(values) for path, values in when.items()}, *texts)
