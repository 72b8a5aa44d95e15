"""Denies an update only for errors that the old object did not have (ratcheting)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from celvet.webhook.judgement import FindingRecord

_Key: TypeAlias = tuple[str, str]


def new_errors(new: Iterable[FindingRecord], old: Iterable[FindingRecord]) -> set[FindingRecord]:
    """The errors of the new object that the old one did not have.

    Errors with one fingerprint are interchangeable: if there are three more than before,
    three are new, and those at the fields of old errors are the old ones.
    """
    before = Counter(map(_here, old))
    elsewhere = _unmatched(new, before, _here)
    left: Counter[_Key] = Counter()
    for (fingerprint, _), count in before.items():
        left[fingerprint, ""] += count
    return set(_unmatched(elsewhere, left, _anywhere))


def _unmatched(
    findings: Iterable[FindingRecord], known: Counter[_Key], key: Callable[[FindingRecord], _Key]
) -> list[FindingRecord]:
    """The findings that match none of the known, each of which matches once."""
    found = []
    for each in findings:
        if known[key(each)] > 0:
            known[key(each)] -= 1
        else:
            found.append(each)
    return found


def _here(finding: FindingRecord) -> _Key:
    return finding.fingerprint, finding.field


def _anywhere(finding: FindingRecord) -> _Key:
    return finding.fingerprint, ""
