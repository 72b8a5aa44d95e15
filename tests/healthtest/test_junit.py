"""Jenkins accepts the JUnit XML of health tests, whether they pass or fail."""

from __future__ import annotations

from junitparser import JUnitXml

from celvet.lint.healthtest.output.junit import render
from celvet.lint.healthtest.run.differences import Difference
from celvet.lint.healthtest.run.results import CaseResult, SuiteReport, Unrun
from tests.report.jenkins import check

_PASSED = CaseResult("a.yaml", "things", "ready", 7, ("Current",), 0.123456)
_MISMATCH = Difference("verdict", "Failed", "Current\x00", (), "Current")
_FAILED = CaseResult("b\udcff.yaml", "things", "broken", 9, ("Current",), 12.5, (_MISMATCH,))


def test_jenkins_takes_it() -> None:
    text = render(SuiteReport((_PASSED, _FAILED)), False)
    check(text)
    read = JUnitXml.fromstring(text.encode())
    assert (read.tests, read.failures, read.errors, read.time) == (2, 1, 0, 12.623)


def test_a_failure_says_where() -> None:
    text = render(SuiteReport((_FAILED,)), False)
    (suite,) = JUnitXml.fromstring(text.encode())
    (case,) = suite
    (failure,) = case.result
    assert failure.text.splitlines()[0] == "b\N{REPLACEMENT CHARACTER}.yaml:9"


_UNRUN = (
    Unrun("c.yaml", 4, 7, "health-test", "there is no\x00 entry", "Write another."),
    Unrun("c.yaml", 9, 1, "yaml-syntax", "the document ends"),
    Unrun("gone\udcff.yaml", 0, 0, "unreadable-file", "No such file or directory"),
)


def test_what_cannot_be_run_is_an_error_in_a_suite_for_its_file() -> None:
    text = render(SuiteReport((_PASSED,), unrun=_UNRUN), False)
    check(text)
    read = JUnitXml.fromstring(text.encode())
    assert (read.tests, read.failures, read.errors) == (4, 0, 3)
    assert [(suite.name, suite.tests, suite.errors) for suite in read] == [
        ("c.yaml", 2, 2),
        ("gone\N{REPLACEMENT CHARACTER}.yaml", 1, 1),
        ("things", 1, 0),
    ]


def test_an_error_says_where_and_what_to_do() -> None:
    text = render(SuiteReport((), unrun=_UNRUN[:1]), False)
    (suite,) = JUnitXml.fromstring(text.encode())
    (case,) = suite
    (error,) = case.result
    assert (error.message, error.type) == (
        "there is no\N{REPLACEMENT CHARACTER} entry",
        "health-test",
    )
    assert error.text.splitlines() == ["c.yaml:4:7", error.message, "Write another."]
