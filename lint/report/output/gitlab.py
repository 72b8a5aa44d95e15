"""GitLab's code quality report; a merge request shows its changes."""

from __future__ import annotations

from typing import Any

from celvet.lint.model import Severity
from celvet.lint.report.fingerprint import fingerprints
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import Report
from celvet.lint.safe_text import json_text

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def render(report: Report, color: bool) -> str:
    """A list of issues, in the part of Code Climate's format that GitLab reads."""
    pairs = zip(report.findings, fingerprints(report), strict=True)
    return json_text(
        [_issue(finding, fingerprint, report.path(finding.file)) for finding, fingerprint in pairs]
    )


def _issue(located_finding: LocatedFinding, fingerprint: str, file: str) -> dict[str, Any]:
    return {
        "description": located_finding.finding.message,
        "check_name": located_finding.finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[located_finding.severity],
        "location": {
            "path": file,
            "lines": {"begin": located_finding.place.line, "end": located_finding.place.end_line},
        },
    }
