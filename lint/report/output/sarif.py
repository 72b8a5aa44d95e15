"""SARIF 2.1.0, as code scanning services and editors read it.

Files are relative to the root of the repository. Columns count code points, and the file says so.
The fingerprints have their own name: GitHub computes `primaryLocationLineHash` itself, and warns
about a different one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from celvet.lint.locate import LineRange
from celvet.lint.model import Severity
from celvet.lint.report.fingerprint import fingerprints
from celvet.lint.report.located import LocatedFinding, LocatedFix
from celvet.lint.report.report import Report
from celvet.lint.rules import Rule, rules
from celvet.lint.safe_text import json_text
from celvet.version import REPOSITORY, __version__

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {**_LEVELS, Severity.INFO: "recommendation"}
"""GitHub's own words for the severity of a rule's findings."""


def render(report: Report, color: bool) -> str:
    """A log of one run; describes the rules with findings."""
    rule_ids = {finding.finding.rule for finding in report.findings}
    rules_with_findings = [rule for rule in rules() if rule.id in rule_ids]
    run = {
        "tool": {"driver": _driver(rules_with_findings)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the root of the repository"}}},
        "invocations": [_invocation(report)],
        "results": _results(report, [rule.id for rule in rules_with_findings]),
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver(described_rules: list[Rule]) -> dict[str, Any]:
    return {
        "name": "celvet",
        "version": __version__,
        "informationUri": REPOSITORY,
        "rules": [_rule(rule) for rule in described_rules],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    text = rule.page.strip()
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "help": {"text": text, "markdown": text},
        "helpUri": rule.url,
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"problem.severity": _PROBLEMS[rule.severity]},
    }


def _invocation(report: Report) -> dict[str, Any]:
    return {
        "executionSuccessful": not (report.crashes or report.unread),
        "toolExecutionNotifications": list(_notifications(report)),
    }


def _notifications(report: Report) -> Iterator[dict[str, Any]]:
    """The inputs that could not be linted; a note belongs to no file."""
    for file, crash in report.crashes:
        text = f"rule {crash.rule} failed: {crash.error}"
        yield _notification("error", text, _artifact(report, file))
    for file, reason in report.unread:
        yield _notification("error", reason, _artifact(report, file))
    for note in report.notes:
        yield _notification("note", note)


def _notification(level: str, text: str, artifact: dict[str, str] | None = None) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": level, "message": {"text": text}}
    if artifact:
        notification["locations"] = [{"physicalLocation": {"artifactLocation": artifact}}]
    return notification


def _results(report: Report, described_ids: list[str]) -> list[dict[str, Any]]:
    index = {rule_id: number for number, rule_id in enumerate(described_ids)}
    return [
        _result(finding, index[finding.finding.rule], fingerprint, _artifact(report, finding.file))
        for finding, fingerprint in zip(report.findings, fingerprints(report), strict=True)
    ]


def _result(
    located_finding: LocatedFinding, index: int, fingerprint: str, artifact: dict[str, str]
) -> dict[str, Any]:
    finding = located_finding.finding
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[located_finding.severity],
        "message": {"text": "\n".join(filter(None, (finding.message, finding.help)))},
        "locations": [
            {
                "physicalLocation": _physical(artifact, located_finding.place),
                "logicalLocations": [{"fullyQualifiedName": located_finding.title}],
            }
        ],
        "partialFingerprints": {"celvet/v1": fingerprint},
    }
    if located_finding.notes:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": note.message},
                "physicalLocation": _physical(artifact, note.place),
            }
            for number, note in enumerate(located_finding.notes)
        ]
    if located_finding.fix:
        result["fixes"] = [_fix(located_finding.fix, artifact)]
    return result


def _fix(fix: LocatedFix, artifact: dict[str, str]) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(place), "insertedContent": {"text": text}}
        for place, text in fix.replacements
    ]
    return {
        "description": {"text": fix.title},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
        "properties": {"safe": fix.safe},
    }


def _physical(artifact: dict[str, str], place: LineRange) -> dict[str, Any]:
    return {"artifactLocation": artifact, "region": _region(place)}


def _region(place: LineRange) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _artifact(report: Report, file: str) -> dict[str, str]:
    """A file as a URI reference: relative to the root, or absolute if it is elsewhere."""
    path = report.path(file)
    if os.path.isabs(path):  # noqa: PTH117 - a text, not a path of this system
        return {"uri": "file://" + quote(os.fsencode(path))}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}
