"""Annotations on a pull request: the workflow commands that GitHub's runner reads.

For the runner, a line that begins with `::` is a command. It unescapes `%25`, `%0D`, `%0A`, and in
properties also `%3A` and `%2C` (actions/runner, ActionCommand.cs). It uses columns only within one
line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from celvet.lint.model import Severity
from celvet.lint.prose import printable_lines
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import Report
from celvet.lint.safe_text import unicode_text

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MOST_ANNOTATIONS = 10
"""The annotations of one command that GitHub shows for a step; the rest is in the log alone."""


def render(report: Report, color: bool) -> str:
    """A command for each finding, most severe first, and a count of those that GitHub hides."""
    worst_first = sorted(report.findings, key=lambda finding: -finding.severity)
    lines = [_command(finding, report.path(finding.file)) for finding in worst_first]
    return unicode_text("".join(f"{line}\n" for line in (*lines, *_beyond(report))))


def _command(located_finding: LocatedFinding, file: str) -> str:
    finding, place = located_finding.finding, located_finding.place
    properties = {"file": file, "line": place.line, "endLine": place.end_line}
    if place.line == place.end_line:
        properties |= {"col": place.column, "endColumn": place.end_column}
    properties["title"] = f"celvet {finding.rule}"
    assignments = ",".join(f"{name}={_property(str(text))}" for name, text in properties.items())
    text = "\n".join(part for part in (finding.message, finding.help, finding.url) if part)
    return f"::{_COMMANDS[located_finding.severity]} {assignments}::{_data(printable_lines(text))}"


def _beyond(report: Report) -> Iterator[str]:
    """The number of findings that GitHub hides, by command."""
    numbers = Counter(finding.severity for finding in report.findings)
    for severity, number in sorted(numbers.items(), reverse=True):
        if number > _MOST_ANNOTATIONS:
            name = _COMMANDS[severity]
            share = f"the first {_MOST_ANNOTATIONS} of {number} {name} annotations"
            yield f"GitHub shows {share}; all are above"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
