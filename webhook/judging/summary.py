"""Findings of the engine as records that cross the pipe."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b

from celvet.lint.manifest.objects.entry_names import entry_names, field_without_indices
from celvet.lint.model import Finding, Severity, Value, Where, field_path
from celvet.lint.values import get
from celvet.webhook.judgement import FindingRecord

_OF_ONE_RULE = 50
"""Findings of a rule that cross the pipe: more than anybody reads."""

MOST_TEXT = 1000
"""Characters; objects may be hostile, and their results are cached."""

_INDEX = re.compile(r"\[\d+\]")
_DIGEST_SIZE = 12


def records(findings: Iterable[Finding], object_: Value) -> tuple[FindingRecord, ...]:
    """Stamped findings of an object as records, without duplicates, most severe first."""
    found = dict.fromkeys(_record(each, object_) for each in findings)
    return tuple(sorted(found, key=lambda each: -each.severity))


def shortened(findings: Iterable[FindingRecord]) -> tuple[FindingRecord, ...]:
    """As many as anybody reads of each rule, new errors first."""
    counts: Counter[str] = Counter()
    kept = []
    for each in sorted(findings, key=lambda each: each.known):
        counts[each.rule] += 1
        if counts[each.rule] <= _OF_ONE_RULE:
            kept.append(each._replace(fingerprint=""))
    return tuple(sorted(kept, key=lambda each: -each.severity))


def fingerprint(finding: Finding, object_: Value) -> str:
    """A digest that is the same for the same finding in another version of an object.

    It covers the rule, the message, the field, the names of the list entries around it,
    and the text there: an error in a changed text is a new one, as Kubernetes' own
    ratcheting has it.
    """
    where = finding.where
    text = None if where.inner else get(object_, where.path)
    parts = [
        *(finding.rule, _INDEX.sub("[]", finding.message)),
        *(field_without_indices(where), entry_names(object_, where.path)),
        None if isinstance(text, dict | list) else text,
    ]
    return blake2b(json.dumps(parts).encode(), digest_size=_DIGEST_SIZE).hexdigest()


def _record(finding: Finding, object_: Value) -> FindingRecord:
    field, message, help_ = (
        text[:MOST_TEXT] for text in (_field(finding.where), finding.message, finding.help)
    )
    severity = finding.severity or Severity.WARNING
    return FindingRecord(
        finding.rule, severity, field, message, help_, fingerprint(finding, object_)
    )


def _field(where: Where) -> str:
    """The path; within a text of manifests, the path of that text and the path in it."""
    outer = field_path(where.path)
    return f"{outer}: {_field(where.inner)}" if where.inner else outer
