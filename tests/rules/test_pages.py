"""The manual page of every rule keeps its promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from celvet.lint.model import Finding, Severity
from celvet.lint.rule_ids import NEVER_TRUE, PREMATURE_CURRENT, PREMATURE_FAILED
from celvet.lint.rules import Rule, rules
from tests.rules.repository import lint_files

_SECTIONS = ["What", "Why", "Bad", "Good"]


@pytest.fixture(params=rules(), ids=lambda rule: rule.id)
def rule(request: pytest.FixtureRequest) -> Rule:
    found: Rule = request.param
    return found


def _example(rule: Rule, section: str) -> str:
    """The example of a section; a good one may begin where it leaves the bad one."""
    match = re.search(rf"^## {section}\n\n```yaml\n(.*?)^```", rule.page, re.DOTALL | re.MULTILINE)
    assert match, f"{rule.id} shows nothing under {section}"
    text = match[1]
    if section == "Bad" or re.match(r"apiVersion:|#|---", text):
        return text
    first_line = text[: text.index("\n") + 1]
    head, line, _ = _example(rule, "Bad").partition(first_line)
    assert line, f"{rule.id}: the bad example has no line {first_line!r}"
    return head + text


def test_has_its_sections_in_order(rule: Rule) -> None:
    assert re.findall(r"^## (\w+)$", rule.page, re.MULTILINE) == _SECTIONS


def test_summary_is_one_sentence(rule: Rule) -> None:
    assert rule.page.startswith(f"{rule.summary}.\n\n")
    assert rule.summary[0].isupper()


def _findings(rule: Rule, section: str, root: Path) -> list[Finding]:
    results = lint_files(_example(rule, section), root)
    return [finding for each in results for finding in each.findings]


def test_bad_example_is_reported(rule: Rule, tmp_path: Path) -> None:
    findings = _findings(rule, "Bad", tmp_path)
    assert rule.id in {finding.rule for finding in findings}


def test_good_example_is_clean(rule: Rule, tmp_path: Path) -> None:
    findings = _findings(rule, "Good", tmp_path)
    grave = [each for each in findings if (each.severity or Severity.INFO) > Severity.INFO]
    assert grave == []
    reported = {finding.rule for finding in findings}
    assert rule.id not in reported
    # nor is it wrong in any state of the kind in the catalogue
    assert reported.isdisjoint({NEVER_TRUE, PREMATURE_CURRENT, PREMATURE_FAILED})


def test_findings_keep_to_the_house_style(rule: Rule, tmp_path: Path) -> None:
    found = (each for each in _findings(rule, "Bad", tmp_path) if each.rule == rule.id)
    for finding in found:
        assert not finding.message.endswith("."), finding.message
        assert not finding.message[0].isupper(), finding.message
        assert not finding.help or finding.help.endswith("."), finding.help
