"""The results of health tests for programs; described by docs/health-report.schema.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from celvet.lint.healthtest.run.coverage import Covered, percent
from celvet.lint.healthtest.run.results import CaseResult, SuiteReport
from celvet.lint.safe_text import json_text

_VERSION = 1


def render(report: SuiteReport, color: bool) -> str:
    """One JSON object on indented lines."""
    tally = report.tally()
    document: dict[str, Any] = {
        "version": _VERSION,
        "cases": [_case(case) for case in report.cases],
        "errors": [asdict(error) for error in report.unrun],
        "summary": {
            "passed": tally["passed"],
            "failed": len(report.failed),
            "skipped": tally["skipped"],
            "xfailed": tally["xfailed"],
            "errors": len(report.unrun),
        },
    }
    if report.coverage is not None:
        document["coverage"] = {
            "percent": round(percent(report.coverage), 2),
            "expressions": [_expression(item) for item in report.coverage],
        }
    return json_text(document)


def _case(case: CaseResult) -> dict[str, Any]:
    return {
        "file": case.file,
        "line": case.line,
        "test": case.test,
        "case": case.case,
        "passed": case.outcome == "passed",
        "outcome": case.outcome,
        "reason": case.skip or case.xfail,
        "guess": case.guess,
        "verdicts": list(case.verdicts),
        "waits": [
            {
                "end": wait.verdict.end,
                "seconds": wait.at.total_seconds(),
                "message": wait.verdict.message,
            }
            for wait in case.waits
        ],
        "seconds": round(case.seconds, 6),
        "mismatches": [
            {
                "step": mismatch.step,
                "what": mismatch.subject,
                "expected": mismatch.expectation,
                "got": mismatch.result,
            }
            for mismatch in case.mismatches
        ],
    }


def _expression(each: Covered) -> dict[str, Any]:
    return {
        "file": each.file,
        "line": each.line,
        "name": each.name,
        "percent": round(each.coverage.percent, 2),
        "conditions": [
            {"text": each.text[slice(*condition.span)], "seen": sorted(condition.outcomes)}
            for condition in each.coverage.conditions
        ],
    }
