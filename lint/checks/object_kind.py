"""Which kind of objects an expression is about."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Value
from celvet.lint.validation import Site


def subject_of(site: Site, value: Mapping[str, Value]) -> tuple[str, str]:
    """`apiVersion` and `kind` of the objects that an expression reads; empty if not told.

    An expression over variables is about objects of the kind that declares it,
    `value`. Any other is about the kind named beside it, or about what is made
    from `spec.template`.
    """
    if site.dialect.variables:
        return _named(value)
    beside = _at(value, *site.path[:-1]) if len(site.path) > 1 else None
    for candidate in (beside, _at(value, "spec", "template")):
        if isinstance(candidate, dict) and "kind" in candidate:
            return _named(candidate)
    return "", ""


def _named(value: Mapping[str, Value]) -> tuple[str, str]:
    """The kind that a mapping names, by `apiVersion` or by `group` and `version`."""
    group = value.get("group")
    version = f"{group}/{value.get('version', '')}" if isinstance(group, str) else None
    api_version, kind = value.get("apiVersion", version), value.get("kind")
    return (
        (api_version, kind) if isinstance(api_version, str) and isinstance(kind, str) else ("", "")
    )


def _at(value: Value, *path: str | int) -> Value:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
