"""The health tests of the examples: the lives that the systems' own documents describe."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from jsonschema import Draft202012Validator

from celvet.lint.cli.run.test_runner import FileRun, RunTests
from celvet.lint.engine import Settings
from celvet.lint.healthtest.output import FORMATS
from celvet.lint.healthtest.run.coverage import merged, percent
from celvet.lint.healthtest.run.results import SuiteReport
from docs.generate import ROOT

_FILES = sorted((ROOT / "examples" / "health-tests").rglob("*.yaml"))


@cache
def _tested(path: Path) -> FileRun:
    return RunTests(Settings(), cover=True)(path)


@pytest.mark.parametrize("path", _FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_case_passes(path: Path) -> None:
    tested = _tested(path)
    assert not tested.report.unread
    assert not [each for each in tested.report.findings if each.finding.rule == "health-test"]
    assert {each.name: each.mismatches for each in tested.cases if each.failed} == {}


@pytest.fixture(scope="module")
def report() -> SuiteReport:
    tested = [_tested(path) for path in _FILES]
    covered = merged(one for each in tested for one in each.coverage)
    return SuiteReport(tuple(case for each in tested for case in each.cases), tuple(covered))


def test_the_json_report_is_valid(report: SuiteReport) -> None:
    schema = json.loads((ROOT / "docs" / "health-report.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    document = json.loads(FORMATS.renderer("json")(report, False))
    Draft202012Validator(schema).validate(document)
    assert {name: number for name, number in document["summary"].items() if number} == {
        "passed": len(report.cases)
    }
    assert 50 < document["coverage"]["percent"] < 100


def test_an_expression_is_counted_once_with_what_all_tests_saw(report: SuiteReport) -> None:
    assert report.coverage is not None
    names = [(each.file, each.name) for each in report.coverage]
    assert len(names) == len(set(names))
    assert percent(report.coverage) == pytest.approx(
        sum(each.coverage.percent * len(each.coverage.conditions) for each in report.coverage)
        / sum(len(each.coverage.conditions) for each in report.coverage)
    )


def test_junit_has_a_suite_a_test_and_a_case_a_case(report: SuiteReport) -> None:
    root = Xml.fromstring(FORMATS.renderer("junit")(report, False))
    assert root.get("tests") == str(len(root.findall("testsuite/testcase"))) != "0"
    assert root.get("failures") == "0"
    assert {suite.get("name") for suite in root} == {case.test for case in report.cases}
