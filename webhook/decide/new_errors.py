"""Which errors of an update are new: ratcheting, as in Kubernetes' own validation."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import TypeAlias

from celvet.lint.manifest.objects.entry_names import entry_names, field_without_indices
from celvet.lint.model import Finding, Value
from celvet.lint.values import get
from celvet.webhook.judgement import FindingRecord

_Key: TypeAlias = tuple[str, str]

_INDEX = re.compile(r"\[\d+\]")
_DIGEST_SIZE = 12


def new_errors(new: Iterable[FindingRecord], old: Iterable[FindingRecord]) -> set[FindingRecord]:
    """The errors of the new object that the old one did not have.

    Errors with the same fingerprint are interchangeable: if there are three more than before, three
    are new. Those at the fields of old errors count as the old ones.
    """
    old_counts = Counter(map(_here, old))
    moved_errors = _without_matches(new, old_counts, _here)
    counts_anywhere: Counter[_Key] = Counter()
    for (fingerprint, _), count in old_counts.items():
        counts_anywhere[fingerprint, ""] += count
    return set(_without_matches(moved_errors, counts_anywhere, _anywhere))


def _without_matches(
    findings: Iterable[FindingRecord], counts: Counter[_Key], key: Callable[[FindingRecord], _Key]
) -> list[FindingRecord]:
    """The findings whose key has no count left; each match takes one from its count."""
    new_findings = []
    for finding in findings:
        if counts[key(finding)] > 0:
            counts[key(finding)] -= 1
        else:
            new_findings.append(finding)
    return new_findings


def _here(finding: FindingRecord) -> _Key:
    return finding.fingerprint, finding.field


def _anywhere(finding: FindingRecord) -> _Key:
    return finding.fingerprint, ""


def fingerprint(finding: Finding, object_: Value) -> str:
    """A digest that is the same for the same finding in another version of an object.

    It covers the rule, the message, the field, the names of the list entries around it, and the
    text there. An error in a changed text is therefore new, as in Kubernetes' own ratcheting.
    """
    where = finding.where
    text = None if where.inner else get(object_, where.path)
    parts = [
        *(finding.rule, _INDEX.sub("[]", finding.message)),
        *(field_without_indices(where), entry_names(object_, where.path)),
        None if isinstance(text, dict | list) else text,
    ]
    return blake2b(json.dumps(parts).encode(), digest_size=_DIGEST_SIZE).hexdigest()
