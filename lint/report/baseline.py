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
from celvet.lint.report.located import Located
from celvet.lint.report.report import FileReport, path_from
from celvet.lint.safe_text import unicode_text
from celvet.record import record, replace

_VERSION = 1


class BaselineError(Exception):
    """The file is not a baseline; the message says why."""


@record
class NewFindings:
    """Files without the findings in a baseline.

    `known` counts the hidden findings. `gone` are entries of the baseline that no longer occur,
    except those of existing files that were not linted.
    """

    files: tuple[FileReport, ...]
    known: int
    gone: Counter[Identity]


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


def text_of(known: Mapping[Identity, int]) -> str:
    """The content of the file: sorted, a finding on each line."""
    lines = [
        json.dumps({**each._asdict(), "count": known[each]}, ensure_ascii=False)
        for each in sorted(known)
    ]
    findings = "".join(f"\n    {line}," for line in lines).rstrip(",")
    listed = f"[{findings}\n  ]" if lines else "[]"
    return unicode_text(f'{{\n  "version": {_VERSION},\n  "findings": {listed}\n}}\n')


def without(files: Sequence[FileReport], known: Counter[Identity], root: str) -> NewFindings:
    """Hide the known findings; paths are relative to `root`."""
    left, reports = Counter(known), []
    for file in files:
        new = tuple(each for each in file.findings if not _take(left, _of(each, root)))
        reports.append(replace(file, findings=new))
    gone = left - _not_linted(left, files, root)
    return NewFindings(tuple(reports), known.total() - left.total(), gone)


def updated(files: Sequence[FileReport], known: Counter[Identity], root: str) -> Counter[Identity]:
    """The baseline after a run: all its findings, and the old entries of files not linted."""
    now = Counter(_of(each, root) for file in files for each in file.findings)
    return now + _not_linted(known, files, root)


def _take(left: Counter[Identity], each: Identity) -> bool:
    """Use up one occurrence, if there is one."""
    if left[each] <= 0:
        return False
    left[each] -= 1
    return True


def _not_linted(
    known: Counter[Identity], files: Sequence[FileReport], root: str
) -> Counter[Identity]:
    """The entries of existing files that the run has not linted."""
    linted = {_path(file.name, root) for file in files if not file.unread}
    return Counter(
        {
            each: count
            for each, count in known.items()
            if each.file not in linted and _exists(root, each.file)
        }
    )


def _exists(root: str, file: str) -> bool:
    """Whether a file exists; False for an invalid name."""
    return os.path.exists(os.path.join(root, file))  # noqa: PTH110, PTH118


def _of(each: Located, root: str) -> Identity:
    return Identity(*map(unicode_text, identity(each, _path(each.file, root))))


def _path(file: str, root: str) -> str:
    return unicode_text(path_from(root, file))


def _entry(entry: Any) -> tuple[Identity, int]:
    count = entry["count"]
    values = [entry[name] for name in Identity._fields]
    if type(count) is not int or count < 1 or not all(isinstance(each, str) for each in values):
        raise TypeError(entry)
    return Identity(*values), count
