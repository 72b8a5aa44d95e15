"""Runs the case file of every rule: `tests/rules/<id>.yaml`, a list of cases.

    - name: why the case is here
      manifest: the text to lint; of a repository, each document begins with a comment, its file
      targets: versions of products, such as `{flux: "2.9"}`; may be left out
      everything: whether findings count that only `explain` shows, false if it is left out
    help: the help of the first finding; may be left out
    findings: what this rule says, one line each: `LINE:COLUMN-LINE:COLUMN severity: message`

Findings of other rules are not looked at; an empty list is a promise of silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from celvet.lint.engine import Settings
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import file_report
from celvet.lint.rules import ids
from celvet.lint.rules.shared.groups import fixable, groups
from tests.rules.repository import lint_files
from tests.tables import read_table

CASES = Path(__file__).parent


def _read(rule: str) -> list[dict[str, Any]]:
    """The cases of a rule; raises `AssertionError` for a file that is missing or wrong."""
    path = CASES / f"{rule}.yaml"
    assert path.exists(), f"add {path}; the docstring of {__name__} says what it holds"
    try:
        cases = read_table(path)
    except yaml.YAMLError as error:
        raise AssertionError(f"{path}: {error}") from None
    for number, case in enumerate(cases if isinstance(cases, list) else [None], 1):
        wanted = {"name", "manifest", "findings"}
        given = isinstance(case, dict) and wanted <= set(case)
        assert given, f"{path}: case {number} needs `name`, `manifest` and `findings`"
    return cast("list[dict[str, Any]]", cases)


def _cases() -> Iterator[Any]:
    """The cases of all rules with a file that can be used; a test below asks for the others."""
    for rule in ids():
        with suppress(AssertionError):
            for case in _read(rule):
                yield pytest.param(rule, case, id=f"{rule}: {case['name']}")


def _line(each: LocatedFinding) -> str:
    place, finding = each.place, each.finding
    at = f"{place.line}:{place.column}-{place.end_line}:{place.end_column}"
    return f"{at} {each.severity}: {finding.message}"


@pytest.mark.parametrize("rule", ids())
def test_every_rule_has_cases(rule: str) -> None:
    assert _read(rule)


def test_every_rule_is_in_one_group() -> None:
    grouped = [rule for rules in groups().values() for rule in rules]
    assert sorted(grouped) == sorted(ids())
    assert fixable() <= {*grouped}


def test_every_case_file_has_a_rule() -> None:
    left = {path.stem for path in CASES.glob("*.yaml")} - set(ids())
    assert left == set(), "delete the cases of a rule that is gone"


@pytest.mark.parametrize(("rule", "case"), list(_cases()))
def test_case(rule: str, case: dict[str, Any], tmp_path: Path) -> None:
    settings = Settings(
        substitutions=case.get("substitute", {}),
        everything=case.get("everything", False),
        targets=tuple(case.get("targets", {}).items()),
    )
    found = []
    for result in lint_files(case["manifest"], tmp_path, settings):
        assert not result.crashes
        found += [each for each in file_report(result).findings if each.finding.rule == rule]
    assert [_line(each) for each in found] == case["findings"]
    assert rule in fixable() or not any(each.finding.fix for each in found)
    helps = [each.finding.help for each in found]
    assert "help" not in case or helps[:1] == [case["help"]]
