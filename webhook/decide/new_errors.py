"""Which errors of an update are new: ratcheting, as in Kubernetes' own validation."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import blake2b
from itertools import takewhile
from typing import TypeAlias

from celvet.lint.manifest import read
from celvet.lint.manifest.objects.entry_names import entry_at, entry_names, field_without_indices
from celvet.lint.model import Finding, Value, Where
from celvet.lint.values import get, object_ref_of
from celvet.webhook.judgement import FindingRecord

_Key: TypeAlias = tuple[str, str]

_INDEX = re.compile(r"\[\d+\]")
_KEY = re.compile(r"\s*(?:- +)*[^\s:#]+:(?:\s|$)")
_COMMENT = re.compile(r"(^|\s)#[^'\"]*$")
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
    text there. An error in a changed text is therefore new, as in Kubernetes' own ratcheting. In a
    text that holds manifests, it covers the text of the expression and the names of the object
    there, so that an error stays the old one when something else is written into that text.
    """
    where = finding.where
    text = get(object_, where.path)
    names = entry_names(object_, where.path)
    if isinstance(text, str) and where.inner:
        text, inner_names = _in_patch(text, where.inner)
        names = f"{names}: {inner_names}"
    elif isinstance(text, str) and where.span and finding.object != object_ref_of(object_):
        names = f"{names}: {finding.object}"
        text = _value_lines(text, where.span.start)
    parts = [
        *(finding.rule, _INDEX.sub("[]", finding.message)),
        *(field_without_indices(where), names),
        None if isinstance(text, dict | list) else text,
    ]
    return blake2b(json.dumps(parts).encode(), digest_size=_DIGEST_SIZE).hexdigest()


def _in_patch(text: str, where: Where) -> tuple[Value, str]:
    """The value at a place in an inline patch, and the names around it."""
    manifest = read(text.encode(), "patch")
    document = manifest.document(where.document)
    value = get(document.value, where.path) if document else None
    return value, entry_at(manifest, where)


def _value_lines(text: str, offset: int) -> str:
    """The lines of a template that hold the value at an offset, without indentation and comments.

    These are the line of its key and the deeper ones below. A template is no YAML yet, so only the
    indentation tells where a value ends.
    """
    lines = text.split("\n")
    first = text.count("\n", 0, offset)
    if not _KEY.match(lines[first]):
        depth = _indentation(lines[first])
        above = (number for number in range(first, -1, -1) if _indentation(lines[number]) < depth)
        first = next(above, first)
    depth = _indentation(lines[first])
    below = takewhile(
        lambda line: not line.strip() or _indentation(line) > depth, lines[first + 1 :]
    )
    texts = (_COMMENT.sub("", line).strip() for line in (lines[first], *below))
    return "\n".join(filter(None, texts))


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
