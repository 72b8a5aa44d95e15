"""For a terminal: each finding with its source line, and carets under the place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from celvet.lint.model import Counterexample
from celvet.lint.prose import QUOTED
from celvet.lint.report.layout import Layout
from celvet.lint.report.lines import COLORS, Printer, fewer_places, groups, summary
from celvet.lint.report.located import Located
from celvet.lint.report.overview import overview
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text, yaml_text

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
        lines = [line for found in _alike(report.findings) for line in _group(found, printer)]
    total = (part for line in summary(report) for part in printer.wrapped(line, "  "))
    return "".join(f"{line}\n" for line in (*lines, *total))


def listed(findings: Iterable[Located], color: bool) -> str:
    """Only the findings, with an empty line after each."""
    printer = Printer(Layout(), color)
    return "".join(f"{line}\n" for each in findings for line in (*_finding(each, printer), ""))


def _alike(findings: Iterable[Located]) -> Iterator[Sequence[Located]]:
    """Findings of one pattern together, if there are many or they have the same text and line."""
    order = {id(each): number for number, each in enumerate(findings)}
    together: list[Sequence[Located]] = []
    for some in groups((each, _pattern(each)) for each in findings).values():
        few = len(some) <= _FEW
        same = ((each, few and (each.finding.message, each.source.strip())) for each in some)
        together += groups(same).values()
    yield from sorted(together, key=lambda some: order[id(some[0])])


def _pattern(each: Located) -> tuple[str, ...]:
    """The text without names that are not on the line itself, such as those of other objects."""

    def kept(quoted: re.Match[str]) -> str:
        return quoted[0] if quoted[1] in each.source else "``"

    message = QUOTED.sub(kept, each.finding.message)
    notes = (note.message for note in each.related)
    return (each.finding.rule, message, each.finding.help, *notes)


def _group(found: Sequence[Located], printer: Printer) -> Iterator[str]:
    """The first finding, and where the others are."""
    first, *others = found
    yield from _finding(first, printer)
    if others:
        blank = " " * len(str(first.place.line))
        start = f"{blank} = and {len(others)} more like this:"
        versions = (f"{start} {each}" for each in fewer_places(others))
        yield from printer.shortest(versions, f"{blank}   ")
    yield ""


def _finding(each: Located, printer: Printer) -> Iterator[str]:
    finding, place = each.finding, each.place
    yield from printer.wrapped(printer.line(each), "    ")
    yield from _source(each, printer)
    blank = " " * len(str(place.line))
    if finding.counterexample:
        yield from (f"{blank} {line}" for line in _counterexample(finding.counterexample))
    if finding.help:
        help_ = terminal_text(finding.help)
        yield from printer.wrapped(f"{blank} = help: {help_}", f"{blank}         ")
    for other in each.related:
        at = f"{each.file}:{other.place.line}:{other.place.column}: "
        here = other.place.line == place.line
        note = f"{blank} = note: {terminal_text(('' if here else at) + other.message)}"
        yield from printer.wrapped(note, f"{blank}         ")


def _counterexample(shown: Counterexample) -> Iterator[str]:
    """The verdict on an object, and the part of the object that the verdict may depend on."""
    yield terminal_text(f"= when: an object {shown.description} is {shown.verdict}")
    telling = {key: value for key, value in shown.object.items() if key not in _NAMING}
    metadata = dict(shown.object.get("metadata", {}))
    metadata.pop("name", None)
    if "observedGeneration" not in str(telling):
        metadata.pop("generation", None)
    telling = {"metadata": metadata, **telling} if metadata else telling
    if telling:
        text = yaml_text(telling, default_flow_style=None, width=_WIDTH)
        yield from (f"        {terminal_text(line)}" for line in text.splitlines())


def _source(each: Located, printer: Printer) -> Iterator[str]:
    """The line that the finding begins on, and a caret for each column that it covers."""
    place, line = each.place, each.source
    if not line.strip():
        return
    start = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    end = max(end, start + 1)
    number, blank = str(place.line), " " * len(str(place.line))
    left, shown, right = _window(line, start, _room(printer.layout, len(number)))
    margin = "".join(map(_blank, left + line[shown.start : start]))
    carets = "^" * max(1, sum(map(_columns, line[start : min(end, shown.stop)])))
    yield f"{blank} |"
    yield f"{number} | {left}{terminal_text(line[shown])}{right}"
    yield f"{blank} | {margin}{printer.paint(carets, fg=COLORS[each.severity], bold=True)}"


def _room(layout: Layout, margin: int) -> int:
    """The columns for a source line; `...` on both sides has to fit as well."""
    return max(20, min(_WIDTH, layout.width - margin - 9)) if layout.width else _WIDTH


def _window(line: str, start: int, width: int) -> tuple[str, slice, str]:
    """The shown part of a long line, with `...` for the rest."""
    if len(line) <= width:
        return "", slice(0, len(line)), ""
    first = max(0, min(start - width // 2, len(line) - width))
    last = min(len(line), first + width)
    return "..." * (first > 0), slice(first, last), "..." * (last < len(line))


def _blank(char: str) -> str:
    return "\t" if char == "\t" else " " * _columns(char)


def _columns(char: str) -> int:
    """The width of a character on a terminal, in columns."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
