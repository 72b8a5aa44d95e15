"""Findings about behaviour come with the object that proves them, in every report."""

from __future__ import annotations

import json
import re

import pytest

from celvet.lint.engine import lint_text
from celvet.lint.report.output import json as json_output
from celvet.lint.report.output import text as text_output
from celvet.lint.report.report import Report, file_report, report
from celvet.lint.rules import rules

_BEHAVIOUR = {
    "error-before-status": "Unknown",
    "error-blocks-verdict": "Unknown",
    "hidden-data": "Unknown",
    "overlapping-verdicts": "Failed",
    "premature-current": "Current",
    "premature-failed": "Failed",
    "stale-generation": "Ready",
    "vacuous-match": "InProgress",
}
"""Rule -> the verdict that its bad example shows."""


def _bad(rule: str) -> Report:
    page = next(each.page for each in rules() if each.id == rule)
    found = re.search(r"^## Bad\n\n```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert found
    return report([file_report(lint_text(found[1], "bad.yaml"))])


@pytest.mark.parametrize("rule", _BEHAVIOUR)
def test_the_bad_example_has_one(rule: str) -> None:
    shown = [each.finding for each in _bad(rule).findings if each.finding.rule == rule]
    assert len(shown) == 1
    assert shown[0].counterexample is not None
    assert shown[0].counterexample.verdict == _BEHAVIOUR[rule]


def test_the_text_shows_what_matters_of_it() -> None:
    lines = text_output.render(_bad("premature-failed"), False).splitlines()
    start = next(index for index, line in enumerate(lines) if "= when:" in line)
    assert [line.strip() for line in lines[start : start + 8]] == [
        "= when: an object in the state `Setting up primary` (starting) is Failed",
        "metadata: {namespace: default}",
        "spec: {}",
        "status:",
        "phase: Setting up primary",
        "phaseReason: Creating primary instance db-1",
        "targetPrimary: db-1",
        "conditions:",
    ]


def test_the_text_shows_generations_where_they_matter() -> None:
    text = text_output.render(_bad("stale-generation"), False)
    assert "metadata: {generation: 2}" in text
    assert "observedGeneration: 1" in text


def test_json_has_all_of_it() -> None:
    document = json.loads(json_output.render(_bad("premature-current"), False))
    shown = [each["counterexample"] for each in document["findings"]]
    assert {
        "state": "foreign",
        "description": "with a condition `Reconciling` but no `Ready`",
        "verdict": "Current",
        "object": {
            "apiVersion": "example.com/v1",
            "kind": "Database",
            "metadata": {"name": "example", "generation": 2},
            "status": {"conditions": [{"type": "Reconciling", "status": "True"}]},
        },
    } in shown


def test_json_without_one() -> None:
    document = json.loads(json_output.render(_bad("never-true"), False))
    found = [each for each in document["findings"] if each["rule"] == "never-true"]
    assert {each["counterexample"] for each in found} == {None}
