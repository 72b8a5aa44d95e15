"""For people at a terminal: a line a test, what failed in full, and how many of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from click import style

from celvet.lint.healthtest.run.coverage import Covered, percent
from celvet.lint.healthtest.run.results import CaseResult, SuiteReport
from celvet.lint.safe_text import terminal_text

_MARKS = {True: ".", False: "F"}


def render(report: SuiteReport, color: bool) -> str:
    """The tests by file with a mark for each case, the failures, the summary."""
    if not report.cases:
        return "no health test could be run\n" if report.unrun else "no health tests\n"
    lines = [*_overview(report, color), ""]
    for case in report.failed:
        lines += [*_failure(case, color), ""]
    if report.coverage is not None:
        lines += [*_coverage(report.coverage), ""]
    return "\n".join([*lines, _summary(report, color)]) + "\n"


def _overview(report: SuiteReport, color: bool) -> Iterator[str]:
    for (file, test), cases in groupby(report.cases, key=lambda case: (case.file, case.test)):
        marks = "".join(_painted(_MARKS[case.passed], case.passed, color) for case in cases)
        yield f"{terminal_text(f'{file} {test}')} {marks}"


def _failure(case: CaseResult, color: bool) -> Iterator[str]:
    name = terminal_text(f"{case.name} ({case.file}:{case.line})")
    yield f"{_painted('FAIL', False, color)} {name}"
    for mismatch in case.mismatches:
        yield f"  {mismatch.what}"
        yield f"    expected  {terminal_text(mismatch.expected)}"
        yield f"    got       {terminal_text(mismatch.got)}"
    yield from (f"  {terminal_text(line)}" for line in case.explanation)


def _coverage(found: Sequence[Covered]) -> Iterator[str]:
    """How much of each expression was seen, and the text of what was not, as it stands."""
    yield f"coverage {percent(found):.0f}%"
    for each in found:
        yield f"  {each.coverage.percent:3.0f}%  {each.name} ({each.file}:{each.line})"
        for condition, place, source in each.missing():
            end = place.end_column if place.end_line == place.line else len(source) + 1
            carets = "^" * max(1, end - place.column)
            yield f"        {place.line} | {terminal_text(source)}"
            margin = " " * (len(str(place.line)) + place.column + 2)
            yield f"        {margin}{carets} never {' or '.join(condition.missing)}"


def _summary(report: SuiteReport, color: bool) -> str:
    failed = len(report.failed)
    parts = [f"{failed} failed"] if failed else []
    parts.append(f"{len(report.cases) - failed} passed")
    return _painted(", ".join(parts), not failed, color)


def _painted(text: str, good: bool, color: bool) -> str:
    return style(text, fg="green" if good else "red", bold=not good) if color else text
