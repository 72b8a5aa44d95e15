"""Findings of the engine as records that cross the pipe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from celvet.lint.manifest.objects.entry_names import entry_names, field_without_indices
from celvet.lint.model import Finding, Path, Severity, Value, Where, field_path
from celvet.webhook.lint_result import MAX_FINDINGS, FindingRecord

_IN_FULL = 200
"""Findings with all their texts: more than anybody reads."""

_MAX_TEXT = 1000
_MAX_FIELD = 100
"""Characters; objects may be hostile, and their results are cached."""

_INDEX = re.compile(r"\[\d+\]")
_DIGEST_SIZE = 12


def records(findings: Iterable[Finding], object_: Value) -> tuple[FindingRecord, ...]:
    """Stamped findings of an object as records, without duplicates, most severe first.

    Of those beyond the first 200 only errors remain, with short texts: nobody reads so
    many, but an update that adds an error is denied whatever its number.
    """
    found = dict.fromkeys(_record(each, object_) for each in findings)
    ordered = sorted(found, key=lambda each: -each.severity)
    rest = (each for each in ordered[_IN_FULL:] if each.severity is Severity.ERROR)
    return (*ordered[:_IN_FULL], *_shortened(rest))[:MAX_FINDINGS]


def fingerprint(finding: Finding, object_: Value) -> str:
    """A digest that is the same for the same finding in another version of an object.

    It covers the rule, the message, the field, the names of the list entries around it,
    and the text there: an error in a changed text is a new one, as Kubernetes' own
    ratcheting has it.
    """
    where = finding.where
    text = None if where.inner else _text_at(object_, where.path)
    parts = [
        *(finding.rule, _INDEX.sub("[]", finding.message)),
        *(field_without_indices(where), entry_names(object_, where.path), text),
    ]
    return blake2b(json.dumps(parts).encode(), digest_size=_DIGEST_SIZE).hexdigest()


def _text_at(value: Value, path: Path) -> Value:
    """The text or number at a path; None for lists, mappings and what is missing."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return None if isinstance(value, dict | list) else value


def _record(finding: Finding, object_: Value) -> FindingRecord:
    field, message, help_ = (
        text[:_MAX_TEXT] for text in (_field(finding.where), finding.message, finding.help)
    )
    severity = finding.severity or Severity.WARNING
    return FindingRecord(
        finding.rule, severity, field, message, help_, fingerprint(finding, object_)
    )


def _shortened(errors: Iterable[FindingRecord]) -> Iterator[FindingRecord]:
    for each in errors:
        message = f"an error beyond the first {_IN_FULL}; `celvet lint` lists them all"
        yield each._replace(field=each.field[:_MAX_FIELD], message=message, help="")


def _field(where: Where) -> str:
    """The path; within a text of manifests, the path of that text and the path in it."""
    outer = field_path(where.path)
    return f"{outer}: {_field(where.inner)}" if where.inner else outer
