"""For a terminal: each finding with its source line, and carets under the place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from celvet.lint.model import Counterexample
from celvet.lint.prose import QUOTED
from celvet.lint.report.layout import Layout
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.overview import overview
from celvet.lint.report.printer import COLORS, Printer, fewer_places, groups, summary
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text, yaml_text
from celvet.regex import regex

_MORE = regex(r" and [0-9]+ more\b")
_NAMING = ("apiVersion", "kind", "metadata")
_FEW = 3
"""Findings with the same message about different lines: up to this many are all printed."""

_WIDTH = 110
"""Columns of a source line that are shown; a longer one is cut around the caret."""


def render(report: Report, color: bool) -> str:
    """The findings by file and line, then the summary.

    If many findings have the same message, perhaps about other objects, only the first is printed,
    with the places of the others.
    """
    printer = Printer(report.layout, color)
    lines = overview(report, printer)
    if lines is None:
        lines = [line for findings in _alike(report.findings) for line in _group(findings, printer)]
    total = (part for line in summary(report) for part in printer.wrap(line, "  "))
    return "".join(f"{line}\n" for line in (*lines, *total))


def findings_text(findings: Iterable[LocatedFinding], color: bool) -> str:
    """Only the findings, with an empty line after each."""
    printer = Printer(Layout(), color)
    return "".join(
        f"{line}\n" for finding in findings for line in (*_finding(finding, printer), "")
    )


def _alike(findings: Iterable[LocatedFinding]) -> Iterator[Sequence[LocatedFinding]]:
    """Findings of one pattern together, if there are many or they have the same text and line."""
    order = {id(finding): number for number, finding in enumerate(findings)}
    together: list[Sequence[LocatedFinding]] = []
    for similar_findings in groups((finding, _pattern(finding)) for finding in findings).values():
        few = len(similar_findings) <= _FEW
        pairs = (
            (member, few and (member.finding.message, member.source.strip()))
            for member in similar_findings
        )
        together += groups(pairs).values()
    yield from sorted(together, key=lambda group: order[id(group[0])])


def _pattern(located_finding: LocatedFinding) -> tuple[str, ...]:
    """The text without numbers, and without names that are not on the line itself.

    Such are those of other objects.
    """

    def masked_quotation(quotation: re.Match[str]) -> str:
        return quotation[0] if quotation[1] in located_finding.source else "``"

    message = _MORE.sub("", QUOTED.sub(masked_quotation, located_finding.finding.message))
    notes = (QUOTED.sub(masked_quotation, note.message) for note in located_finding.notes)
    return (located_finding.finding.rule, message, located_finding.finding.help, *notes)


def _group(findings: Sequence[LocatedFinding], printer: Printer) -> Iterator[str]:
    """The first finding, and where the others are."""
    first_finding, *other_findings = findings
    yield from _finding(first_finding, printer)
    if other_findings:
        blank = " " * len(str(first_finding.place.line))
        start = f"{blank} = and {len(other_findings)} more like this:"
        versions = (f"{start} {places}" for places in fewer_places(other_findings))
        yield from printer.shortest_version(versions, f"{blank}   ")
    yield ""


def _finding(located_finding: LocatedFinding, printer: Printer) -> Iterator[str]:
    finding, place = located_finding.finding, located_finding.place
    yield from printer.wrap(printer.line(located_finding), "    ")
    yield from _source(located_finding, printer)
    blank = " " * len(str(place.line))
    if finding.counterexample:
        yield from (f"{blank} {line}" for line in _counterexample(finding.counterexample))
    if finding.help:
        advice = terminal_text(finding.help)
        yield from printer.wrap(f"{blank} = help: {advice}", f"{blank}         ")
    for note in located_finding.notes:
        # The line is named only where it is another one.
        line, column = note.place.line, note.place.column
        prefix = "" if line == place.line else f"{located_finding.file}:{line}:{column}: "
        text = f"{blank} = note: {terminal_text(prefix + note.message)}"
        yield from printer.wrap(text, f"{blank}         ")


def _counterexample(counterexample: Counterexample) -> Iterator[str]:
    """The verdict on an object, and the part of the object that the verdict may depend on."""
    yield terminal_text(
        f"= when: an object {counterexample.description} is {counterexample.verdict}"
    )
    telling = {key: value for key, value in counterexample.object.items() if key not in _NAMING}
    metadata = dict(counterexample.object.get("metadata", {}))
    metadata.pop("name", None)
    if "observedGeneration" not in str(telling):
        metadata.pop("generation", None)
    telling = {"metadata": metadata, **telling} if metadata else telling
    if telling:
        text = yaml_text(telling, default_flow_style=None, width=_WIDTH)
        yield from (f"        {terminal_text(line)}" for line in text.splitlines())


def _source(located_finding: LocatedFinding, printer: Printer) -> Iterator[str]:
    """The line that the finding begins on, and a caret for each column that it covers."""
    place, line = located_finding.place, located_finding.source
    if not line.strip():
        return
    start = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    end = max(end, start + 1)
    number, blank = str(place.line), " " * len(str(place.line))
    prefix, window, suffix = _window(line, start, _room(printer.layout, len(number)))
    margin = "".join(map(_blank, prefix + line[window.start : start]))
    carets = "^" * max(1, sum(map(_columns, line[start : min(end, window.stop)])))
    yield f"{blank} |"
    yield f"{number} | {prefix}{terminal_text(line[window])}{suffix}"
    color = COLORS[located_finding.severity]
    yield f"{blank} | {margin}{printer.paint(carets, fg=color, bold=True)}"


def _room(layout: Layout, margin: int) -> int:
    """The columns for a source line; `...` on both sides has to fit as well."""
    return max(20, min(_WIDTH, layout.width - margin - 9)) if layout.width else _WIDTH


def _window(line: str, start: int, width: int) -> tuple[str, slice, str]:
    """The shown part of a long line, with `...` for the rest."""
    if len(line) <= width:
        return "", slice(0, len(line)), ""
    window_start = max(0, min(start - width // 2, len(line) - width))
    window_end = min(len(line), window_start + width)
    return (
        "..." * (window_start > 0),
        slice(window_start, window_end),
        "..." * (window_end < len(line)),
    )


def _blank(char: str) -> str:
    return "\t" if char == "\t" else " " * _columns(char)


def _columns(char: str) -> int:
    """The width of a character on a terminal, in columns."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
