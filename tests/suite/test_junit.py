"""JUnit's XML of health tests is what Jenkins takes, whether they pass or fail."""

from __future__ import annotations

from junitparser import JUnitXml

from lint.suite.expectation import Mismatch
from lint.suite.output.junit import render
from lint.suite.results import CaseResult, SuiteReport
from tests.output.jenkins import check

_PASSED = CaseResult("a.yaml", "things", "ready", 7, ("Current",), 0.123456)
_MISMATCH = Mismatch("verdict", "Failed", "Current\x00", (), "Current")
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
