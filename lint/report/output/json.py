"""For programs: one JSON document, described by `docs/report.schema.json`.

This is an interface: adding a key is compatible, renaming or removing one is a new `version`. It
is written by hand, so that a change of internal types cannot change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celvet.lint.model import Counterexample, field_path
from celvet.lint.report.located import Located, LocatedFix
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


def _finding(each: Located) -> dict[str, Any]:
    finding, place = each.finding, each.place
    return {
        "rule": finding.rule,
        "severity": str(each.severity),
        "message": finding.message,
        "help": finding.help,
        "url": finding.url,
        "file": each.file,
        "document": finding.where.document,
        **_place(place),
        "field": field_path(finding.where.path),
        "object": finding.object.fields(),
        "counterexample": _counterexample(finding.counterexample),
        "fix": _fix(each.fix),
        "related": [{"message": also.message, **_place(also.place)} for also in each.related],
    }


def _place(place: LineRange) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _counterexample(shown: Counterexample | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    return {
        "state": shown.state,
        "description": shown.description,
        "verdict": shown.verdict,
        "object": shown.object,
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
        "filesConcerned": report.concerned,
        "objects": counts.objects,
        "expressions": counts.expressions,
        "partlyChecked": counts.partly,
        "findings": report.tally(),
        "suppressed": counts.suppressed,
        "inBaseline": report.known,
        "leftAside": {
            "templated": counts.templated,
            "unresolved": counts.unresolved,
            "unanalysed": counts.unanalysed,
        },
        "internalErrors": len(report.crashes),
    }
