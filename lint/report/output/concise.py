"""For terminals, and for editors that parse compiler output: one line for each finding."""

from __future__ import annotations

from celvet.lint.report.overview import overview
from celvet.lint.report.printer import Printer, summary
from celvet.lint.report.report import Report


def render(report: Report, color: bool) -> str:
    """The findings by file and line, or in groups, then the summary."""
    printer = Printer(report.layout, color)
    lines = overview(report, printer)
    if lines is None:
        lines = [printer.line(finding) for finding in report.findings]
    return "".join(f"{line}\n" for line in (*lines, *summary(report)))
