"""Runs the case file of every rule: `tests/rules/<id>.yaml`, a list of cases.

    - name: why the case is here
      manifest: the text to lint
      findings: what this rule says, one line each: `LINE:COLUMN-LINE:COLUMN severity: message`

Findings of other rules are not looked at; an empty list is a promise of silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.engine import Settings, lint_text
from celvet.lint.report.located import Located
from celvet.lint.report.report import file_report
from celvet.lint.rules import ids

CASES = Path(__file__).parent


def _cases() -> Iterator[Any]:
    for rule in ids():
        for case in yaml.safe_load((CASES / f"{rule}.yaml").read_text(encoding="utf-8")):
            yield pytest.param(rule, case, id=f"{rule}: {case['name']}")


def _line(each: Located) -> str:
    place, finding = each.place, each.finding
    at = f"{place.line}:{place.column}-{place.end_line}:{place.end_column}"
    return f"{at} {each.severity}: {finding.message}"


def test_every_rule_has_cases_and_every_file_a_rule() -> None:
    assert {path.stem for path in CASES.glob("*.yaml")} == set(ids())


@pytest.mark.parametrize(("rule", "case"), list(_cases()))
def test_case(rule: str, case: dict[str, Any]) -> None:
    settings = Settings(substitutions=case.get("substitute", {}))
    result = lint_text(case["manifest"], "case.yaml", settings)
    assert not result.crashes
    said = [_line(each) for each in file_report(result).findings if each.finding.rule == rule]
    assert said == case["findings"]
