"""A file of known findings of a repository, which are not reported again.

Each line of the file has an `Identity` and a count, so that reviews show which findings are
accepted, and branches that fix different findings can be merged.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from celvet.lint.report.fingerprint import Identity, identity
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import FileReport, path_from
from celvet.lint.safe_text import unicode_text
from celvet.record import record, replace

_VERSION = 1


class BaselineError(Exception):
    """The file is not a baseline; the message says why."""


@record
class NewFindings:
    """Files without the findings in a baseline.

    `known_count` counts the hidden findings. `stale_entries` are entries of the baseline that no
    longer occur, except those of existing files that were not linted.
    """

    files: tuple[FileReport, ...]
    known_count: int
    stale_entries: Counter[Identity]


def parse(text: str) -> Counter[Identity]:
    """How often each finding may occur; raises `BaselineError`."""
    try:
        document = json.loads(text)
        if document["version"] != _VERSION:
            raise BaselineError(f"version {_VERSION} is known, not {document['version']!r:.20}")
        return Counter(dict(map(_entry, document["findings"])))
    except (ValueError, LookupError, TypeError, RecursionError):
        advice = "remove it, and write a new one with --update-baseline"
        raise BaselineError(f"this is not a baseline; {advice}") from None


def text_of(baseline: Mapping[Identity, int]) -> str:
    """The content of the file: sorted, a finding on each line."""
    lines = [
        json.dumps({**finding._asdict(), "count": baseline[finding]}, ensure_ascii=False)
        for finding in sorted(baseline)
    ]
    findings = "".join(f"\n    {line}," for line in lines).rstrip(",")
    array = f"[{findings}\n  ]" if lines else "[]"
    return unicode_text(f'{{\n  "version": {_VERSION},\n  "findings": {array}\n}}\n')


def hide_known(files: Sequence[FileReport], baseline: Counter[Identity], root: str) -> NewFindings:
    """Hide the known findings; paths are relative to `root`."""
    remainder, reports = Counter(baseline), []
    for file in files:
        new_findings = tuple(
            finding for finding in file.findings if not _take(remainder, _identity(finding, root))
        )
        reports.append(replace(file, findings=new_findings))
    stale_entries = remainder - _not_linted(remainder, files, root)
    return NewFindings(tuple(reports), baseline.total() - remainder.total(), stale_entries)


def updated_baseline(
    files: Sequence[FileReport], baseline: Counter[Identity], root: str
) -> Counter[Identity]:
    """The baseline after a run: all its findings, and the old entries of files not linted."""
    findings = (finding for file in files for finding in file.findings)
    current_entries = Counter(_identity(finding, root) for finding in findings)
    return current_entries + _not_linted(baseline, files, root)


def _take(remainder: Counter[Identity], finding: Identity) -> bool:
    """Use up one occurrence, if there is one."""
    if remainder[finding] <= 0:
        return False
    remainder[finding] -= 1
    return True


def _not_linted(
    baseline: Counter[Identity], files: Sequence[FileReport], root: str
) -> Counter[Identity]:
    """The entries of existing files that the run has not linted."""
    linted_files = {_path(file.name, root) for file in files if not file.unread}
    return Counter(
        {
            finding: count
            for finding, count in baseline.items()
            if finding.file not in linted_files and _exists(root, finding.file)
        }
    )


def _exists(root: str, file: str) -> bool:
    """Whether a file exists; False for an invalid name."""
    return os.path.exists(os.path.join(root, file))  # noqa: PTH110, PTH118


def _identity(finding: LocatedFinding, root: str) -> Identity:
    return Identity(*map(unicode_text, identity(finding, _path(finding.file, root))))


def _path(file: str, root: str) -> str:
    return unicode_text(path_from(root, file))


def _entry(entry: Any) -> tuple[Identity, int]:
    count = entry["count"]
    values = [entry[name] for name in Identity._fields]
    if type(count) is not int or count < 1 or not all(isinstance(value, str) for value in values):
        raise TypeError(entry)
    return Identity(*values), count
