"""A validation as lines of text, so that a case file can hold what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celvet.lint.model import field_path
from celvet.lint.validation import UnknownField, Validation, Violation, validate
from celvet.schemas import Catalog, load


def validated(case: Mapping[str, Any], catalog: Catalog | None = None) -> Validation:
    """The validation of a case's object, by its `kind` and `apiVersion`."""
    catalog = catalog or load()
    value = case["object"]
    version = value.get("apiVersion")
    named_kinds = (candidate for candidate in catalog.kinds if candidate.kind == value["kind"])
    kind = catalog.find(version, value["kind"]) if version else next(named_kinds, None)
    assert kind is not None, f"no kind {value['kind']}"
    skipped_paths = set(case.get("skip", ()))
    return validate(
        value,
        kind,
        catalog,
        partial=case.get("partial", False),
        skip=lambda path: field_path(path) in skipped_paths,
    )


def rendered(validation: Validation) -> dict[str, list[str]]:
    """The findings, one per line; an empty part is left out."""
    parts = {
        "sites": [
            f"{field_path(site.path)} {site.dialect.name} {site.role}" for site in validation.sites
        ],
        "violations": [_violation(violation) for violation in validation.violations],
        "unknown": [_unknown(key) for key in validation.unknown_fields],
    }
    return {name: lines for name, lines in parts.items() if lines}


def _violation(violation: Violation) -> str:
    place = field_path(violation.path) + (" (key)" if violation.on_key else "")
    rule = "" if violation.rule == "schema-violation" else f" {violation.rule}"
    help_ = f" [{violation.help}]" if violation.help else ""
    return f"{place} {violation.severity}{rule}: {violation.message}{help_}"


def _unknown(key: UnknownField) -> str:
    suggestion = f" -> {key.suggestion}" if key.suggestion else ""
    return f"{field_path(key.path)}{suggestion}: {key.message} [{key.help}]"
