"""Checks the file of a kind, and reads the kind that it describes.

schemas/README.md explains the keys of the root, which say how the controller works.
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
from celvet.schemas.reader.forms import (
    Form,
    check_forms,
    choice,
    fields,
    filled,
    instance,
    is_count,
    is_pattern,
    is_string,
    is_text,
    list_of,
    map_of,
    matching,
)
from celvet.schemas.reader.vocabulary import check_schema
from celvet.schemas.sites import ExpressionSite, expression_sites
from celvet.schemas.walk import steps

_NAMES = "x-kubernetes-group-version-kind"
_NAMING: Mapping[str, re.Pattern[str]] = {
    "group": regex(r"(?:[a-z0-9][a-z0-9.-]*)?"),
    "version": regex(r"[a-z0-9][a-z0-9-]*"),
    "kind": regex(r"[A-Za-z][A-Za-z0-9]*"),
}
_NAME_LIST = list_of(fields(dict.fromkeys(_NAMING, is_string)))

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
"""The lists of paths in `x-typed`, each with the attribute of the fields."""

_BY_PATH = map_of(instance(object))
_TEXTS = list_of(is_text)
_EARLIER = {"target": is_text, "before": matching(r"\d+(\.\d+)*"), "defaults": _BY_PATH}
_TYPED = fields(
    {"evidence": fields(dict.fromkeys(("repository", "release", "path", "says"), is_text))},
    {**dict.fromkeys(_TYPED_LISTS, _TEXTS), "defaults": _BY_PATH, "earlier": fields(_EARLIER)},
)
_CLOCK_TERMS = filled(_TEXTS)
_REASON = fields({"when": filled(map_of(instance(list))), "reason": is_string, "help": is_string})
_REASON_WORDS = "each with `when` (paths, and lists of values), `reason` and `help`"
_STRING = Form(is_string, "a text")

_ROOT_FORMS: Mapping[str, Form] = {
    _NAMES: Form(_NAME_LIST, "a list of group, version and kind"),
    "x-plural": _STRING,
    "x-scope": choice("Namespaced", "Cluster", "None"),
    "x-documentation": _STRING,
    "x-refused-by": _STRING,
    "x-unknown": _STRING,
    "x-controller": _STRING,
    "x-typed": Form(
        _TYPED,
        f"a mapping with `evidence` (repository, release, path and says), lists of paths under"
        f" {', '.join(_TYPED_LISTS)}, `defaults` by path, and `earlier` ones (target, defaults, and"
        " the release `before` which they were so)",
    ),
    "x-waits": _STRING,
    "x-annotation": Form(
        filled(_TEXTS), "the annotation, and perhaps the one that switches it off"
    ),
    "x-words": Form(filled(_TEXTS), "a list of words"),
    "x-unwaited": Form(list_of(_REASON), f"a list of reasons, {_REASON_WORDS}"),
    "x-passed": Form(map_of(_REASON), f"a mapping of kinds to reasons, {_REASON_WORDS}"),
    "x-void": Form(map_of(_REASON), f"a mapping of paths to reasons, {_REASON_WORDS}"),
    "x-clock": Form(
        fields({"look": _CLOCK_TERMS}, dict.fromkeys(("timeout", "least", "retry"), _CLOCK_TERMS)),
        "a mapping of `look`, and perhaps `timeout`, `least` and `retry`, to lists of terms",
    ),
    "x-queue": Form(
        fields({"workers": is_count, "requeue": matching(r"\d+s")}, {"evidence": instance(dict)}),
        "a mapping of `workers`, a number, and `requeue`, seconds like `30s`, with `evidence`",
    ),
    "x-unrendered": Form(map_of(is_pattern), "a mapping of paths to patterns of an action"),
}
"""The keys of the root that say how the controller works; the others are the schema."""


def read_kind(content: Mapping[str, Any], file: Path, dialects: Collection[str]) -> Kind:
    """The kind in the content of a file whose references are resolved.

    Raises `FormError` for anything that is not understood.
    """
    group, name, versions = _group_kind_versions(content.get(_NAMES))
    if name != file.stem:
        raise FormError(f"describes `{name}`, so its name should be `{name}.json`")
    check_forms(content, _ROOT_FORMS)
    # What is left after the keys about the controller is a JSON Schema with annotations.
    schema = {key: value for key, value in content.items() if key not in _ROOT_FORMS}
    check_schema(schema, dialects)
    refused_by = content.get("x-refused-by") or "the API server"
    go_type, queue = content.get("x-typed", {}), content.get("x-queue")
    kind = Kind(
        system=file.parent.name,
        group=group,
        kind=name,
        versions=versions,
        plural=content.get("x-plural", ""),
        scope=content.get("x-scope", "Namespaced"),
        documentation=content.get("x-documentation", ""),
        refused_by=refused_by,
        unknown=content.get("x-unknown") or f"{refused_by} silently drops it",
        controller=content.get("x-controller") or "the controller",
        schema=schema,
        go_type=_typed_field(go_type) if go_type else None,
        earlier_defaults=_earlier_defaults(go_type["earlier"]) if "earlier" in go_type else None,
        waits=steps(content.get("x-waits", "")),
        annotations=tuple(content.get("x-annotation", ())),
        clock={key: tuple(terms) for key, terms in content.get("x-clock", {}).items()},
        queue=(queue["workers"], queue["requeue"]) if queue else None,
        wait_exceptions=tuple(map(_unless, content.get("x-unwaited", ()))),
        kind_exceptions={
            name: _unless(reason) for name, reason in content.get("x-passed", {}).items()
        },
        unused_fields={
            steps(path): _unless(reason) for path, reason in content.get("x-void", {}).items()
        },
        literal_templates={
            steps(p): action for p, action in content.get("x-unrendered", {}).items()
        },
    )
    sites = list(expression_sites(kind))
    for site in sites:
        if not site.fields:
            reason = f"`x-expression` at `{site.pattern}` has no field on its way"
            raise FormError(f"{reason}; put it below `properties`")
    # The words that make a file worth a parse are the names of the fields, unless the file has
    # better.
    words = content.get("x-words") or dict.fromkeys(_words(kind, sites))
    return replace(kind, words=tuple(words))


def _words(kind: Kind, sites: Iterable[ExpressionSite]) -> Iterator[str]:
    """The API group, and a field for each site, since a kustomize patch may name only the kind."""
    yield kind.group or kind.kind
    for site in sites:
        telling = [field for field in site.fields if _PLAIN.fullmatch(field)]
        yield max(telling, key=len, default=kind.kind)


def _group_kind_versions(names: Any) -> tuple[str, str, tuple[str, ...]]:
    if not names:
        raise FormError(f"`{_NAMES}` is missing: a list of group, version and kind")
    if not _NAME_LIST(names):
        raise FormError(f"`{_NAMES}` needs group, version and kind in each entry")
    for name in names:
        for part, form in _NAMING.items():
            if not form.fullmatch(name[part]):
                reason = f"`{name[part]}` is not a {part} that Kubernetes allows"
                raise FormError(f"{reason}; write it as the CRD does")
    if len({(name["group"], name["kind"]) for name in names}) > 1:
        raise FormError(f"`{_NAMES}` names more than one kind")
    versions = sorted((name["version"] for name in names), key=version_order, reverse=True)
    return names[0]["group"], names[0]["kind"], tuple(versions)


def _typed_field(content: Mapping[str, Any]) -> TypedField:
    """The Go type that `x-typed` describes."""
    root = TypedField()
    for name, attribute in _TYPED_LISTS.items():
        for path in content.get(name, ()):
            setattr(_field_at(root, path), attribute, True)
    for path, value in content.get("defaults", {}).items():
        _field_at(root, path).default = value
    return root


def _field_at(root: TypedField, path: str) -> TypedField:
    for step in steps(path):
        root = root.fields.setdefault(step, TypedField())
    return root


def _earlier_defaults(content: Mapping[str, Any]) -> EarlierDefaults:
    defaults = {steps(path): default for path, default in content["defaults"].items()}
    return EarlierDefaults(content["target"], content["before"], defaults)


def _unless(content: Mapping[str, Any]) -> Unless:
    when = {steps(path): tuple(values) for path, values in content["when"].items()}
    return Unless(when, content["reason"], content["help"])
