"""Converts reports of files to JSON and back, for the cache on disk.

Reading a text can only make the types below, and runs no code. Fields are identified by their
order, so a text of another version is not a report.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Any

from celvet.lint.engine.result import Counts
from celvet.lint.locate.lines import LineRange
from celvet.lint.model import (
    Change,
    Confidence,
    Counterexample,
    Finding,
    Fix,
    ObjectRef,
    Related,
    Severity,
    Span,
    Where,
)
from celvet.lint.report.located import LocatedFinding, LocatedFix, Note
from celvet.lint.report.report import FileReport
from celvet.record import field_names

_TYPES = (
    Change,
    Counterexample,
    Counts,
    FileReport,
    Finding,
    Fix,
    LineRange,
    LocatedFinding,
    LocatedFix,
    Note,
    ObjectRef,
    Related,
    Where,
)
_RECORDS: dict[str, Any] = {
    record_type.__name__: (record_type, field_names(record_type)) for record_type in _TYPES
}
_PLAIN: dict[str, Any] = {
    "dict": lambda *pairs: dict(pairs),
    "frozenset": lambda *items: frozenset(items),
    "list": lambda *items: list(items),
    "tuple": lambda *items: items,
    "Span": Span,
}
_ENUMS: dict[str, type[Enum]] = {"Confidence": Confidence, "Severity": Severity}
_SCALARS = (str, int, float, bool, type(None))


class NotStoredError(ValueError):
    """A report that cannot be stored, or a text that is not a report."""


def to_text(report: FileReport) -> str:
    """The report as a text; raises `NotStoredError` for what JSON cannot hold."""
    return json.dumps(_to_json(report))


def from_text(text: str | bytes) -> FileReport:
    """The report in a text; raises `NotStoredError` for any other text."""
    try:
        report = _from_json(json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError, IndexError) as error:
        raise NotStoredError(str(error)) from None
    if not isinstance(report, FileReport):
        raise NotStoredError("no report")
    return report


def _to_json(value: Any) -> Any:
    """A value as JSON: a scalar unchanged, everything else as a list that begins with its type."""
    if type(value) in _SCALARS:
        return value
    name = type(value).__name__
    if name in _RECORDS:
        return [name, *(_to_json(getattr(value, field)) for field in _RECORDS[name][1])]
    if name in _ENUMS:
        return [name, value.value]
    if type(value) is dict:
        return [name, *(["tuple", key, _to_json(item)] for key, item in value.items())]
    if type(value) is frozenset:
        return [name, *sorted(map(_to_json, value))]
    if name not in _PLAIN:
        raise NotStoredError(f"{name} is not stored")
    return [name, *map(_to_json, value)]


def _from_json(value: Any) -> Any:
    """The value that `_to_json` has written."""
    if not isinstance(value, list):
        return value
    name, *parts = value
    values = [_from_json(part) if isinstance(part, list) else part for part in parts]
    if name in _PLAIN:
        return _PLAIN[name](*values)
    if name in _ENUMS:
        return _ENUMS[name](*values)
    record_type, names = _RECORDS[name]
    return record_type(**dict(zip(names, values, strict=True)))
