"""For programs: one JSON document, described by `docs/report.schema.json`.

This is an interface: adding a key is compatible, renaming or removing one is a new `version`. It
is written by hand, so that a change of internal types cannot change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celvet.lint.model import Counterexample, field_path
from celvet.lint.report.located import LocatedFinding, LocatedFix
from celvet.lint.report.report import Report
from celvet.lint.safe_text import json_text

if TYPE_CHECKING:
    from celvet.lint.locate import LineRange

VERSION = 1


def render(report: Report, color: bool) -> str:
    """The report as one JSON document."""
    document = {
        "version": VERSION,
        "findings": [_finding(finding) for finding in report.findings],
        "summary": _summary(report),
    }
    return json_text(document)


def _finding(located_finding: LocatedFinding) -> dict[str, Any]:
    finding, place = located_finding.finding, located_finding.place
    return {
        "rule": finding.rule,
        "severity": str(located_finding.severity),
        "message": finding.message,
        "help": finding.help,
        "url": finding.url,
        "file": located_finding.file,
        "document": finding.where.document,
        **_place(place),
        "field": field_path(finding.where.path),
        "object": finding.object.fields(),
        "counterexample": _counterexample(finding.counterexample),
        "fix": _fix(located_finding.fix),
        "related": [
            {"message": note.message, **_place(note.place)} for note in located_finding.notes
        ],
    }


def _place(place: LineRange) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _counterexample(counterexample: Counterexample | None) -> dict[str, Any] | None:
    if counterexample is None:
        return None
    return {
        "state": counterexample.state,
        "description": counterexample.description,
        "verdict": counterexample.verdict,
        "object": counterexample.object,
    }


def _fix(fix: LocatedFix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    replacements = [{**_place(place), "text": text} for place, text in fix.replacements]
    return {"title": fix.title, "safe": fix.safe, "replacements": replacements}


def _summary(report: Report) -> dict[str, Any]:
    counts = report.counts
    return {
        "files": report.files,
        "filesConcerned": report.files_concerned,
        "objects": counts.objects,
        "expressions": counts.expressions,
        "partlyChecked": counts.partly,
        "findings": report.tally(),
        "suppressed": counts.suppressed,
        "inBaseline": report.known_count,
        "leftAside": {
            "templated": counts.templated,
            "unresolved": counts.unresolved,
            "unanalysed": counts.unanalysed,
            **({"unread": counts.unread} if counts.unread else {}),
            **({"unrendered": report.unrendered} if report.unrendered else {}),
        },
        "internalErrors": len(report.crashes),
    }
