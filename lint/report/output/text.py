"""For a terminal: each finding with its source line, and carets under the place."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from click import style

from celvet.lint.model import Counterexample, Severity
from celvet.lint.report.located import Located
from celvet.lint.report.report import Report
from celvet.lint.safe_text import terminal_text, yaml_text

Paint: TypeAlias = Callable[..., str]

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_NAMING = ("apiVersion", "kind", "metadata")
_WIDTH = 110
"""Columns of a source line that are shown; a longer one is cut around the caret."""


def render(report: Report, color: bool) -> str:
    """The findings by file and line, then how much was looked at."""
    return listed(report.findings, color) + "".join(f"{line}\n" for line in _summary(report))


def listed(findings: Iterable[Located], color: bool) -> str:
    """The findings alone, an empty line behind each."""
    paint = style if color else _plain
    return "".join(f"{line}\n" for each in findings for line in (*_finding(each, paint), ""))


def _plain(text: str, **_: object) -> str:
    return text


def _finding(each: Located, paint: Paint) -> Iterator[str]:
    finding, place = each.finding, each.place
    where = terminal_text(f"{each.file}:{place.line}:{place.column}")
    severity = paint(str(each.severity), fg=_COLORS[each.severity], bold=True)
    rule = paint(f"[{finding.rule}]", dim=True)
    yield f"{paint(where, bold=True)}: {severity}: {terminal_text(finding.message)} {rule}"
    yield from _source(each, paint)
    blank = " " * len(str(place.line))
    if finding.counterexample:
        yield from (f"{blank} {line}" for line in _counterexample(finding.counterexample))
    if finding.help:
        yield f"{blank} = help: {terminal_text(finding.help)}"
    for other in each.related:
        at = f"{each.file}:{other.place.line}:{other.place.column}"
        yield f"{blank} = note: {terminal_text(f'{at}: {other.message}')}"


def _counterexample(shown: Counterexample) -> Iterator[str]:
    """The verdict on an object, and of that object what the verdict may depend on."""
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


def _source(each: Located, paint: Paint) -> Iterator[str]:
    """The line that the finding begins on, and a caret for each column that it covers."""
    place, line = each.place, each.source
    if not line.strip():
        return
    start = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    end = max(end, start + 1)
    number, blank = str(place.line), " " * len(str(place.line))
    left, shown, right = _window(line, start)
    margin = "".join(map(_blank, left + line[shown.start : start]))
    carets = "^" * max(1, sum(map(_columns, line[start : min(end, shown.stop)])))
    yield f"{blank} |"
    yield f"{number} | {left}{terminal_text(line[shown])}{right}"
    yield f"{blank} | {margin}{paint(carets, fg=_COLORS[each.severity], bold=True)}"


def _window(line: str, start: int) -> tuple[str, slice, str]:
    """The part of a long line that is shown, with what stands for the rest."""
    if len(line) <= _WIDTH:
        return "", slice(0, len(line)), ""
    first = max(0, min(start - _WIDTH // 2, len(line) - _WIDTH))
    last = min(len(line), first + _WIDTH)
    return "..." * (first > 0), slice(first, last), "..." * (last < len(line))


def _blank(char: str) -> str:
    return "\t" if char == "\t" else " " * _columns(char)


def _columns(char: str) -> int:
    """The columns that a terminal gives a character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _summary(report: Report) -> Iterator[str]:
    tally = ", ".join(_count(number, name) for name, number in report.tally().items() if number)
    files = _count(report.files, "file")
    if tally:
        places = len({each.file for each in report.findings})
        yield f"{tally} in {places} of {files}"
    else:
        yield f"nothing to report in {files}"
    counts = report.counts
    expressions, objects = counts.expressions, counts.objects
    yield f"checked {_count(expressions, 'expression')} in {_count(objects, 'object')}"
    aside = {
        "in templates of a ResourceSet whose inputs only the cluster knows": (
            counts.templated,
            "object",
        ),
        "with a `${VAR}` that has no value (see --substitute)": (counts.unresolved, "text"),
        "beyond the limits of the analysis": (counts.unanalysed, "expression"),
    }
    for reason, (number, noun) in aside.items():
        if number:
            yield f"left aside: {_count(number, noun)} {reason}"
    if counts.suppressed:
        yield f"suppressed: {_count(counts.suppressed, 'finding')}"
    if report.known:
        yield f"in the baseline: {_count(report.known, 'finding')}"


def _count(number: int, noun: str) -> str:
    plural = "" if number == 1 or noun == "info" else "s"
    return f"{number} {noun}{plural}"
