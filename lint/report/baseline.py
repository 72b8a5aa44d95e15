"""The findings that a repository began with: kept in a file, and not reported again.

A line of the file is an `Identity` and how often it occurs: a review sees what
is forgiven, and two branches that each repair something merge.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celvet.lint.report.fingerprint import Identity, identity
from celvet.lint.report.report import Examined, Located, path_from
from celvet.lint.safe_text import unicode_text

_VERSION = 1


class BaselineError(Exception):
    """The file is no baseline; says why."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """Files without the findings that the baseline has, and what became of it.

    `known` counts the findings left out. `gone` are entries that occur no more;
    of files that exist and were not looked at, none is.
    """

    files: tuple[Examined, ...]
    known: int
    gone: Counter[Identity]


def read(text: str) -> Counter[Identity]:
    """How often each finding may occur; raises `BaselineError`."""
    try:
        document = json.loads(text)
        if document["version"] != _VERSION:
            raise BaselineError(f"version {_VERSION} is known, not {document['version']!r:.20}")
        return Counter(dict(map(_entry, document["findings"])))
    except (ValueError, LookupError, TypeError, RecursionError):
        advice = "remove it, and write it anew with --update-baseline"
        raise BaselineError(f"this is no baseline of celvet; {advice}") from None


def written(known: Mapping[Identity, int]) -> str:
    """The baseline as a file, sorted, a finding on each line."""
    lines = [
        json.dumps({**each._asdict(), "count": known[each]}, ensure_ascii=False)
        for each in sorted(known)
    ]
    findings = "".join(f"\n    {line}," for line in lines).rstrip(",")
    listed = f"[{findings}\n  ]" if lines else "[]"
    return unicode_text(f'{{\n  "version": {_VERSION},\n  "findings": {listed}\n}}\n')


def sifted(files: Sequence[Examined], known: Counter[Identity], root: str) -> Sifted:
    """Leave out what is known; paths count from `root`."""
    left, sieved = Counter(known), []
    for file in files:
        new = tuple(each for each in file.findings if not _take(left, _of(each, root)))
        sieved.append(replace(file, findings=new))
    return Sifted(tuple(sieved), known.total() - left.total(), left - _unseen(left, files, root))


def found(files: Sequence[Examined], known: Counter[Identity], root: str) -> Counter[Identity]:
    """The baseline after a run: all that it found, and of the old one what it did not look at."""
    now = Counter(_of(each, root) for file in files for each in file.findings)
    return now + _unseen(known, files, root)


def _take(left: Counter[Identity], each: Identity) -> bool:
    """Use up one occurrence, if there is one."""
    if left[each] <= 0:
        return False
    left[each] -= 1
    return True


def _unseen(known: Counter[Identity], files: Sequence[Examined], root: str) -> Counter[Identity]:
    """The entries of files that exist and that the run has not looked at."""
    seen = {_path(file.name, root) for file in files if not file.unread}
    return Counter(
        {
            each: count
            for each, count in known.items()
            if each.file not in seen and _exists(root, each.file)
        }
    )


def _exists(root: str, file: str) -> bool:
    """Whether a file is there; a name that no system takes is none, and never an error."""
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
