"""JUnit's XML, as CI systems read it: a suite a health test, a test case a case."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree as Xml

from lint.safe_text import xml_text
from lint.suite.results import CaseResult, SuiteReport


def render(report: SuiteReport, color: bool) -> str:
    """One document; its schema is that of Jenkins' JUnit plugin."""
    root = Xml.Element("testsuites", {"name": "celvet test", **_counts(report.cases)})
    for (file, test), cases in groupby(report.cases, key=lambda case: (case.file, case.test)):
        found = tuple(cases)
        names = {"name": xml_text(test), "file": xml_text(file)}
        suite = Xml.SubElement(root, "testsuite", {**names, **_counts(found)})
        for case in found:
            _add(suite, case)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(cases: tuple[CaseResult, ...]) -> dict[str, str]:
    return {
        "tests": str(len(cases)),
        "failures": str(sum(not case.passed for case in cases)),
        "errors": "0",
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _add(suite: Xml.Element, case: CaseResult) -> None:
    element = Xml.SubElement(
        suite,
        "testcase",
        name=xml_text(case.case),
        classname=xml_text(case.test),
        time=f"{case.seconds:.3f}",
    )
    if case.passed:
        return
    said = [f"{each.what}: expected {each.expected}, got {each.got}" for each in case.mismatches]
    failure = Xml.SubElement(element, "failure", message=xml_text("; ".join(said)), type="mismatch")
    failure.text = xml_text("\n".join([f"{case.file}:{case.line}", *said, *case.explanation]))
