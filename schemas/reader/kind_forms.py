"""The allowed content of a kind's file, and the kind that it describes.

The annotations at the root say how its controller works.

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

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from celvet.record import replace
from celvet.regex import regex
from celvet.schemas.errors import FormError
from celvet.schemas.kind import EarlierDefaults, Kind, TypedField, Unless, version_order
from celvet.schemas.reader.vocabulary import check, is_pattern, is_texts
from celvet.schemas.sites import ExpressionSite, expression_sites
from celvet.schemas.walk import steps

_NAMES = "x-kubernetes-group-version-kind"
_SCOPES = ("Namespaced", "Cluster", "None")
_ROOT_KEYS = {
    *(_NAMES, "x-plural", "x-scope", "x-documentation", "x-refused-by", "x-unknown"),
    *("x-controller", "x-typed", "x-waits", "x-unwaited", "x-passed", "x-void", "x-clock"),
    "x-unrendered",
}
_NAMING: Mapping[str, re.Pattern[str]] = {
    "group": regex(r"(?:[a-z0-9][a-z0-9.-]*)?"),
    "version": regex(r"[a-z0-9][a-z0-9-]*"),
    "kind": regex(r"[A-Za-z][A-Za-z0-9]*"),
}
_RARE = 9
"""From this length on, in letters, a field name is not an everyday word like `health`."""

_PLAIN = regex(rf"[A-Za-z0-9._/-]{{{_RARE},}}")
"""A field name that appears literally in a file: line folding could break one with a blank."""

_TYPED_LISTS = {
    "omitempty": "omitempty",
    "durations": "duration",
    "structs": "struct",
    "nulls": "null",
}
_TYPED_KEYS = ("defaults", "earlier", "evidence")
_EARLIER_KEYS = {"target", "before", "defaults"}
_EVIDENCE_KEYS = {"repository", "release", "path", "says"}
_RELEASE = regex(r"\d+(\.\d+)*")
_MESSAGE_KEYS = ("reason", "help")
_CLOCK_KEYS = ("look", "timeout", "least", "retry")


def read_kind(content: Mapping[str, Any], file: Path, dialects: Collection[str]) -> Kind:
    """The kind in the content of a file whose references are resolved.

    Raises `FormError` for anything that is not understood.
    """
    group, name, versions = _group_kind_versions(content.get(_NAMES))
    if name != file.stem:
        raise FormError(f"describes `{name}`, so its name should be `{name}.json`")
    schema = {key: value for key, value in content.items() if key not in _ROOT_KEYS}
    check(schema, dialects)
    refused_by = _text(content, "x-refused-by") or "the API server"
    kind = Kind(
        system=file.parent.name,
        group=group,
        kind=name,
        versions=versions,
        plural=_text(content, "x-plural"),
        scope=_scope(content),
        documentation=_text(content, "x-documentation"),
        refused_by=refused_by,
        unknown=_text(content, "x-unknown") or f"{refused_by} silently drops it",
        controller=_text(content, "x-controller") or "the controller",
        schema=schema,
        typed=_read_typed(content.get("x-typed")),
        earlier=_read_earlier(content.get("x-typed")),
        waits=steps(_text(content, "x-waits")),
        clock=_read_clock(content.get("x-clock", {})),
        unwaited=_read_unwaited(content.get("x-unwaited", [])),
        passed=_read_passed(content.get("x-passed", {})),
        void=_read_void(content.get("x-void", {})),
        unrendered=_read_unrendered(content.get("x-unrendered", {})),
    )
    sites = list(expression_sites(kind))
    for site in sites:
        if not site.fields:
            reason = f"`x-expression` at `{site.pattern}` has no field on its way"
            raise FormError(f"{reason}; put it below `properties`")
    return replace(kind, words=tuple(dict.fromkeys(_words(kind, sites))))


def _words(kind: Kind, sites: Iterable[ExpressionSite]) -> Iterator[str]:
    """The API group, and a field for each site, since a kustomize patch may name only the kind."""
    yield kind.group or kind.kind
    for site in sites:
        telling = [field for field in site.fields if _PLAIN.fullmatch(field)]
        yield max(telling, key=len, default=kind.kind)


def _group_kind_versions(names: Any) -> tuple[str, str, tuple[str, ...]]:
    if not isinstance(names, list) or not names:
        raise FormError(f"`{_NAMES}` is missing: a list of group, version and kind")
    for name in names:
        if not _is_name(name):
            raise FormError(f"`{_NAMES}` needs group, version and kind in each entry")
        for part, form in _NAMING.items():
            if not form.fullmatch(name[part]):
                reason = f"`{name[part]}` is not a {part} that Kubernetes allows"
                raise FormError(f"{reason}; write it as the CRD does")
    if len({(name["group"], name["kind"]) for name in names}) > 1:
        raise FormError(f"`{_NAMES}` names more than one kind")
    versions = sorted((name["version"] for name in names), key=version_order, reverse=True)
    return names[0]["group"], names[0]["kind"], tuple(versions)


def _is_name(name: Any) -> bool:
    if not isinstance(name, Mapping) or name.keys() != {"group", "version", "kind"}:
        return False
    return all(isinstance(text, str) for text in name.values())


def _text(content: Mapping[str, Any], key: str) -> str:
    value = content.get(key, "")
    if not isinstance(value, str):
        raise FormError(f"`{key}` cannot be {value!r:.80}")
    return value


def _scope(content: Mapping[str, Any]) -> str:
    scope = content.get("x-scope", "Namespaced")
    if scope not in _SCOPES:
        raise FormError(f"`x-scope` is none of {', '.join(_SCOPES)}")
    return str(scope)


def _read_typed(content: Any) -> TypedField | None:
    """The Go type that `x-typed` describes, None without the key; raises `FormError`."""
    if content is None:
        return None
    if not isinstance(content, Mapping) or not content.keys() <= {*_TYPED_LISTS, *_TYPED_KEYS}:
        known = ", ".join((*_TYPED_LISTS, *_TYPED_KEYS))
        raise FormError(f"`x-typed` has some of {known}")
    _assure_evidence(content.get("evidence"))
    root = TypedField()
    for name, mark in _TYPED_LISTS.items():
        given = content.get(name, [])
        if not is_texts(given):
            raise FormError(f"`{name}` of `x-typed` is a list of paths")
        for path in given:
            setattr(_made(root, path), mark, True)
    for path, value in content.get("defaults", {}).items():
        _made(root, path).default = value
    return root


def _read_earlier(content: Any) -> EarlierDefaults | None:
    """The `earlier` defaults of `x-typed`, None without the key; raises `FormError`."""
    given = (content or {}).get("earlier")
    if given is None:
        return None
    if not isinstance(given, Mapping) or given.keys() != _EARLIER_KEYS:
        raise FormError("`earlier` of `x-typed` has target, before and defaults")
    if not isinstance(given["defaults"], Mapping) or not _RELEASE.fullmatch(str(given["before"])):
        raise FormError("`earlier` of `x-typed` has defaults by path, before a release")
    defaults = {steps(path): default for path, default in given["defaults"].items()}
    return EarlierDefaults(given["target"], given["before"], defaults)


def _read_unwaited(content: Any) -> tuple[Unless, ...]:
    """When the controller does not wait for everything it applies; raises `FormError`."""
    if not isinstance(content, list):
        raise FormError("`x-unwaited` is a list of reasons")
    return tuple(_unless(each, "x-unwaited") for each in content)


def _read_passed(content: Any) -> Mapping[str, Unless]:
    """When the controller does not wait for an object, by its kind; raises `FormError`."""
    if not isinstance(content, Mapping):
        raise FormError("`x-passed` maps kinds to reasons")
    return {name: _unless(each, "x-passed") for name, each in content.items()}


def _read_void(content: Any) -> Mapping[tuple[str, ...], Unless]:
    """When the controller does not use a field, by its path; raises `FormError`."""
    if not isinstance(content, Mapping):
        raise FormError("`x-void` maps paths to reasons")
    return {steps(path): _unless(each, "x-void") for path, each in content.items()}


def _read_unrendered(content: Any) -> Mapping[tuple[str, ...], str]:
    """The pattern of the actions that the controller does not render; raises `FormError`."""
    if not isinstance(content, Mapping) or not all(map(is_pattern, content.values())):
        raise FormError("`x-unrendered` maps paths to patterns of an action")
    return {steps(path): pattern for path, pattern in content.items()}


def _read_clock(given: Any) -> Mapping[str, tuple[str, ...]]:
    """The terms of each time in a controller's wait; raises `FormError`."""
    if not isinstance(given, Mapping) or not all(
        key in _CLOCK_KEYS and is_texts(terms) and terms for key, terms in given.items()
    ):
        raise FormError(f"`x-clock` maps {', '.join(_CLOCK_KEYS)} to lists of terms")
    if given and "look" not in given:
        raise FormError("`x-clock` needs `look`")
    return {key: tuple(terms) for key, terms in given.items()}


def _assure_evidence(evidence: Any) -> None:
    if not isinstance(evidence, Mapping) or evidence.keys() != _EVIDENCE_KEYS:
        raise FormError("`evidence` of `x-typed` has repository, release, path and says")


def _made(root: TypedField, path: str) -> TypedField:
    for step in steps(path):
        root = root.fields.setdefault(step, TypedField())
    return root


def _unless(given: Any, annotation: str) -> Unless:
    if not isinstance(given, Mapping) or given.keys() != {"when", *_MESSAGE_KEYS}:
        raise FormError(f"a reason of `{annotation}` has when, reason and help")
    when, texts = given["when"], [given[word] for word in _MESSAGE_KEYS]
    lists = isinstance(when, Mapping) and all(isinstance(each, list) for each in when.values())
    if not (when and lists and all(isinstance(text, str) for text in texts)):
        raise FormError(f"`when` of `{annotation}` maps paths to lists of values")
    return Unless({steps(path): tuple(values) for path, values in when.items()}, *texts)
