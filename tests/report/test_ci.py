"""The formats of CI systems: GitHub's annotations, GitLab's code quality report, JUnit's XML."""

from __future__ import annotations

import json
import re

import pytest
from junitparser import Error, Failure, JUnitXml

from celvet.lint.locate import LineRange
from celvet.lint.model import Severity
from celvet.lint.prose import printable_lines
from celvet.lint.report.output import github, gitlab, junit, markdown
from celvet.lint.report.report import FileReport, report
from tests.report.jenkins import check
from tests.report.sample import HOSTILE, located, rendered

_COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)")


def _unescaped(text: str) -> str:
    """As the runner does: the percent sign last."""
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_github_reads_back_what_was_written() -> None:
    lines = rendered("github").splitlines()
    commands = [found for line in lines if (found := _COMMAND.fullmatch(line))]
    assert [found[1] for found in commands] == ["error", "error", "warning", "notice"]
    properties = dict(pair.split("=") for pair in commands[2][2].split(","))
    assert _unescaped(properties["file"]) == "a, b:?%.yaml"
    assert _unescaped(commands[2][3]).startswith(printable_lines(HOSTILE))


def test_github_gets_columns_on_a_single_line_only() -> None:
    single, several = rendered("github").splitlines()[:2]
    assert "line=3,endLine=3,col=5,endColumn=9" in single
    assert "line=7,endLine=9,title" in several


@pytest.mark.parametrize(("number", "said"), [(10, []), (11, ["11 error"]), (25, ["25 error"])])
def test_a_note_tells_what_github_does_not_show(number: int, said: list[str]) -> None:
    found = [located(place=LineRange(line, 1, line, 2)) for line in range(1, number + 1)]
    info = located("second-rule", Severity.INFO)
    lines = github.render(report([FileReport("a.yaml", (*found, info))]), False).splitlines()
    assert len(lines) == number + 1 + len(said)
    assert all(words in line for words, line in zip(said, lines[number + 1 :], strict=True))


def test_a_summary_stays_within_what_github_shows() -> None:
    found = [
        located(place=LineRange(line, 1, line, 2), message=f"{line} {'&' * 1000}")
        for line in range(1, 500)
    ]
    text = markdown.render(report([FileReport("a.yaml", tuple(found))]), False)
    rows = text.count("\n| error |")
    assert len(text.encode()) < 2**20
    assert f"- {499 - rows} rows left out\n- 499 errors in 1 of 1 file\n" in text


def test_gitlab_gets_the_fields_that_it_demands() -> None:
    issues = json.loads(rendered("gitlab"))
    assert [each["severity"] for each in issues] == ["critical", "critical", "info", "major"]
    assert len({each["fingerprint"] for each in issues}) == 4
    for each in issues:
        assert each.keys() >= {"description", "check_name", "fingerprint", "severity", "location"}
        assert not each["location"]["path"].startswith("./")
        assert each["location"]["lines"]["begin"] >= 1
    assert json.loads(gitlab.render(report(()), False)) == []


def test_a_junit_parser_reads_the_same_numbers() -> None:
    suites = {suite.name: list(suite) for suite in JUnitXml.fromstring(rendered("junit").encode())}
    found = {
        name: [[type(each) for each in case.result] for case in cases]
        for name, cases in suites.items()
    }
    assert found == {
        "a, b:\N{REPLACEMENT CHARACTER}%.yaml": [[Failure]],
        "broken.yaml": [[Error]],
        "clusters/apps.yaml": [[Failure]] * 3,
        "clusters/clean.yaml": [[]],
        "secret.yaml": [[Error]],
    }
    assert JUnitXml.fromstring(rendered("junit").encode()).failures == 4


def test_jenkins_takes_it() -> None:
    check(rendered("junit"))


def test_nothing_to_report_is_well_formed() -> None:
    assert JUnitXml.fromstring(junit.render(report(()), False).encode()).tests == 0
    assert github.render(report(()), False) == ""
