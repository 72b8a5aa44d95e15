"""GitLab's code quality report; a merge request shows its changes."""

from __future__ import annotations

from typing import Any

from celvet.lint.model import Severity
from celvet.lint.report.fingerprint import fingerprints
from celvet.lint.report.located import Located
from celvet.lint.report.report import Report
from celvet.lint.safe_text import json_text

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def render(report: Report, color: bool) -> str:
    """A list of issues, in the part of Code Climate's format that GitLab reads."""
    pairs = zip(report.findings, fingerprints(report), strict=True)
    return json_text(
        [_issue(finding, print_, report.path(finding.file)) for finding, print_ in pairs]
    )


def _issue(located: Located, fingerprint: str, file: str) -> dict[str, Any]:
    return {
        "description": located.finding.message,
        "check_name": located.finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[located.severity],
        "location": {
            "path": file,
            "lines": {"begin": located.place.line, "end": located.place.end_line},
        },
    }
