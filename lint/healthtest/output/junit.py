"""JUnit's XML, as CI systems read it: a suite for each health test, a test case for each case.

A test that could not be run is an error, in a suite for its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree as Xml

from celvet.lint.healthtest.run.differences import Difference
from celvet.lint.healthtest.run.results import CaseResult, SuiteReport, Unrun
from celvet.lint.safe_text import xml_text

_NOT_RUN = ("skipped", "xfailed")
"""The outcomes that JUnit calls skipped."""


def render(report: SuiteReport, color: bool) -> str:
    """One document; its schema is that of Jenkins' JUnit plugin."""
    counts = _counts(report.cases, len(report.unrun))
    root = Xml.Element("testsuites", {"name": "celvet test", **counts})
    for file, problems in groupby(report.unrun, key=lambda each: each.file):
        _add_errors(root, file, list(problems))
    for (file, test), cases in groupby(report.cases, key=lambda case: (case.file, case.test)):
        runs = tuple(cases)
        skip_count = str(sum(case.outcome in _NOT_RUN for case in runs))
        names = {"name": xml_text(test), "file": xml_text(file), "skipped": skip_count}
        suite = Xml.SubElement(root, "testsuite", {**names, **_counts(runs)})
        for case in runs:
            _add(suite, case)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(cases: Sequence[CaseResult], errors: int = 0) -> dict[str, str]:
    return {
        "tests": str(len(cases) + errors),
        "failures": str(sum(case.failed for case in cases)),
        "errors": str(errors),
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _add_errors(root: Xml.Element, file: str, problems: Sequence[Unrun]) -> None:
    name = xml_text(file)
    suite = Xml.SubElement(
        root, "testsuite", {"name": name, "file": name, **_counts((), len(problems))}
    )
    for problem in problems:
        place = xml_text(problem.place)
        element = Xml.SubElement(suite, "testcase", name=place, classname=name, time="0.000")
        words = xml_text(problem.message)
        error = Xml.SubElement(element, "error", message=words, type=problem.rule)
        lines = filter(None, (problem.place, problem.message, problem.help))
        error.text = xml_text("\n".join(lines))


def _add(suite: Xml.Element, case: CaseResult) -> None:
    element = Xml.SubElement(
        suite,
        "testcase",
        name=xml_text(case.case),
        classname=xml_text(case.test),
        time=f"{case.seconds:.3f}",
    )
    if case.outcome in _NOT_RUN:
        Xml.SubElement(element, "skipped", message=xml_text(case.skip or f"xfail: {case.xfail}"))
    if not case.failed:
        return
    sentences = [*map(_sentence, case.mismatches)] or [f"passes, although xfail: {case.xfail}"]
    words = xml_text("; ".join(sentences))
    failure = Xml.SubElement(element, "failure", message=words, type="mismatch")
    failure.text = xml_text("\n".join([f"{case.file}:{case.line}", *sentences, *case.explanation]))


def _sentence(each: Difference) -> str:
    step = f"step {each.step}: " if each.step else ""
    return f"{step}{each.subject}: expected {each.expectation}, got {each.result}"
