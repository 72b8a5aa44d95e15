"""JUnit's XML: a suite for each file, with a failing test case for each finding."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as Xml

from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import Report
from celvet.lint.safe_text import xml_text


def render(report: Report, color: bool) -> str:
    """One document; a file with objects of known kinds and no finding is a passing case.

    Its schema is that of Jenkins' JUnit plugin. A file that cannot be opened,
    and a rule that failed on it, are errors.
    """
    root = Xml.Element("testsuites", name="celvet lint")
    for file, cases in sorted(_cases(report).items()):
        suite = Xml.SubElement(root, "testsuite", name=file, file=file)
        suite.extend(cases)
        _count(suite)
    _count(root)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _cases(report: Report) -> dict[str, list[Xml.Element]]:
    """The test cases by the file that they are about."""
    cases: defaultdict[str, list[Xml.Element]] = defaultdict(list)

    def case(file: str, name: str) -> Xml.Element:
        path = xml_text(report.path(file))
        cases[path].append(Xml.Element("testcase", name=name, classname=path, time="0"))
        return cases[path][-1]

    for finding in report.findings:
        name = xml_text(f"{finding.finding.rule} {finding.title}".rstrip())
        _add_failure(case(finding.file, name), finding, report.path(finding.file))
    for file, crash in report.crashes:
        name = f"{crash.rule} document {crash.where.document}"
        _add_error(case(file, name), f"rule {crash.rule} failed: {crash.error}")
    for file, reason in report.unread:
        _add_error(case(file, "open"), reason)
    for file in report.clean:
        case(file, "celvet lint")
    return cases


def _count(element: Xml.Element) -> None:
    for name, tag in {"tests": "testcase", "failures": "failure", "errors": "error"}.items():
        element.set(name, str(sum(1 for _ in element.iter(tag))))
    element.set("time", "0")


def _add_failure(case: Xml.Element, located_finding: LocatedFinding, file: str) -> None:
    finding, place = located_finding.finding, located_finding.place
    failure = Xml.SubElement(
        case, "failure", message=xml_text(finding.message), type=str(located_finding.severity)
    )
    where = f"{file}:{place.line}:{place.column}"
    parts = (where, located_finding.source.strip(), finding.message, finding.help, finding.url)
    failure.text = xml_text("\n".join(part for part in parts if part))


def _add_error(case: Xml.Element, message: str) -> None:
    Xml.SubElement(case, "error", message=xml_text(message), type="celvet")
