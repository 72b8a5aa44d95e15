"""From an object to a declaration: its schema held against it, its expressions compiled."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.checks.checked_object import Declaration, Expression
from celvet.lint.checks.object_kind import subject_of
from celvet.lint.crds.schema import NOTHING, Schemas
from celvet.lint.jsonpath import compile_path
from celvet.lint.manifest import KubeObject
from celvet.lint.model import ObjectRef, Value
from celvet.lint.validation import Site, inspect
from celvet.schemas import Catalog, Kind


def declare(
    found: KubeObject,
    kind: Kind,
    catalog: Catalog,
    crds: Schemas = NOTHING,
    *,
    fixes: bool = True,
) -> Declaration:
    """The declaration that an object of a known kind is."""
    skip = found.unresolved.__contains__
    inspection = inspect(found.value, kind, catalog, partial=found.partial, skip=skip)
    return Declaration(
        object=reference_of(found.value),
        value=found.value,
        kind=kind,
        inspection=inspection,
        cel=tuple(
            Expression(
                site, compile_expression(site.text, site.dialect), subject_of(site, found.value)
            )
            for site in _of_language(inspection.sites, "cel")
        ),
        paths=tuple(
            Expression(site, compile_path(site.text, site.dialect), subject_of(site, found.value))
            for site in _of_language(inspection.sites, "jsonpath")
        ),
        place=found.place,
        partial=found.partial,
        schemas=crds,
        fixes=fixes,
    )


def _of_language(sites: tuple[Site, ...], language: str) -> list[Site]:
    return [site for site in sites if site.dialect.language == language]


def reference_of(value: Mapping[str, Value]) -> ObjectRef:
    """The names of an object, empty where it has none or something odd in their place."""
    metadata = value.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    texts = (
        value.get("apiVersion"),
        value.get("kind"),
        metadata.get("namespace"),
        metadata.get("name") or metadata.get("generateName"),
    )
    return ObjectRef(*(text if isinstance(text, str) else "" for text in texts))
