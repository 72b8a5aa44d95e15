"""The allowed content of a kind's file, and the kind that it describes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from celvet.record import replace
from celvet.regex import regex
from celvet.schemas.errors import FormError
from celvet.schemas.kind import Kind, version_order
from celvet.schemas.reader.annotations import (
    read_clock,
    read_earlier,
    read_passed,
    read_typed,
    read_unrendered,
    read_unwaited,
    read_void,
)
from celvet.schemas.reader.vocabulary import check
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
"""From this length on, in letters, a field name is no everyday word like `health`."""

_PLAIN = regex(rf"[A-Za-z0-9._/-]{{{_RARE},}}")
"""A field name that appears literally in a file: line folding could break one with a blank."""


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
        typed=read_typed(content.get("x-typed")),
        earlier=read_earlier(content.get("x-typed")),
        waits=steps(_text(content, "x-waits")),
        clock=read_clock(content.get("x-clock", {})),
        unwaited=read_unwaited(content.get("x-unwaited", [])),
        passed=read_passed(content.get("x-passed", {})),
        void=read_void(content.get("x-void", {})),
        unrendered=read_unrendered(content.get("x-unrendered", {})),
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
                reason = f"`{name[part]}` is no {part} that Kubernetes allows"
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
