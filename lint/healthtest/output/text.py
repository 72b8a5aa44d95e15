"""Text for a terminal: a line for each test, the failures in full, and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from click import style

from celvet.lint.healthtest.run.coverage import Covered, percent
from celvet.lint.healthtest.run.differences import end_words
from celvet.lint.healthtest.run.results import CaseOutcome, CaseResult, SuiteReport
from celvet.lint.safe_text import terminal_text

_MARKS: Mapping[CaseOutcome, str] = {
    "failed": "F",
    "xpassed": "X",
    "passed": ".",
    "skipped": "s",
    "xfailed": "x",
}
"""The sign of each outcome, in the order of the summary."""
_COLORS: Mapping[CaseOutcome, str] = {"failed": "red", "xpassed": "red", "passed": "green"}


def render(report: SuiteReport, color: bool) -> str:
    """The tests by file with a mark for each case, the failures, the summary."""
    if not report.cases:
        return "no health test could be run\n" if report.unrun else "no health tests\n"
    lines = [] if report.detail == "quiet" else [*_overview(report, color), ""]
    for case in report.failed:
        lines += [*_failure(case, color), ""]
    if report.coverage is not None:
        lines += [*_coverage(report.coverage, places=report.detail == "verbose"), ""]
    return "\n".join([*lines, *_summary(report, color)]) + "\n"


def _overview(report: SuiteReport, color: bool) -> Iterator[str]:
    if report.detail == "verbose":
        yield from (_line(case, color) for case in report.cases)
        return
    for (file, test), cases in groupby(report.cases, key=lambda case: (case.file, case.test)):
        marks = "".join(_painted(_MARKS[case.outcome], case.outcome, color) for case in cases)
        yield f"{terminal_text(f'{file} {test}')} {marks}"


def _line(case: CaseResult, color: bool) -> str:
    """A case with its outcome, its verdicts, and why it is skipped or fails."""
    outcome = _painted(case.outcome.upper(), case.outcome, color)
    came = f" {', '.join(case.verdicts)}" if case.verdicts else ""
    came += f"; wait {', '.join(map(end_words, case.waits))}" if case.waits else ""
    reason = f" ({case.skip or case.xfail})" if case.skip or case.xfail else ""
    guess = " (made up)" if case.guess else ""
    where = terminal_text(f"{case.file}:{case.line} {case.name}")
    return f"{where} {outcome}{terminal_text(came + reason + guess)}"


def _failure(case: CaseResult, color: bool) -> Iterator[str]:
    name = terminal_text(f"{case.name} ({case.file}:{case.line})")
    yield f"{_painted('FAIL', 'failed', color)} {name}"
    if case.outcome == "xpassed":
        yield f"  passes, although it should fail: {terminal_text(case.xfail)}"
    for mismatch in case.mismatches:
        step = f"step {mismatch.step}: " if mismatch.step else ""
        yield f"  {step}{mismatch.subject}"
        yield f"    expected  {terminal_text(mismatch.expectation)}"
        yield f"    got       {terminal_text(mismatch.result)}"
    yield from (f"  {terminal_text(line)}" for line in case.explanation)


def _coverage(expressions: Sequence[Covered], *, places: bool) -> Iterator[str]:
    """The coverage of each expression; with `places`, the conditions that were not covered."""
    yield f"coverage {percent(expressions):.0f}%"
    for expression in expressions:
        missing = [*expression.missing()]
        number = f"{len(missing)} of {len(expression.coverage.conditions)}"
        lack = f", incomplete: {number}" if missing else ""
        position = f"{expression.file}:{expression.line}"
        yield f"  {expression.coverage.percent:3.0f}%  {expression.name} ({position}){lack}"
        for condition, place, source in missing if places else ():
            end = place.end_column if place.end_line == place.line else len(source) + 1
            carets = "^" * max(1, end - place.column)
            yield f"        {place.line} | {terminal_text(source)}"
            margin = " " * (len(str(place.line)) + place.column + 2)
            yield f"        {margin}{carets} never {' or '.join(condition.missing)}"
    if not places and any(expression.coverage.uncovered_conditions for expression in expressions):
        yield "  incomplete: a condition that was not both true and false; --verbose shows where"


def _summary(report: SuiteReport, color: bool) -> Iterator[str]:
    tally = report.tally()
    parts = [
        f"{tally[outcome]} {outcome}" for outcome in _MARKS if tally[outcome] or outcome == "passed"
    ]
    yield _painted(", ".join(parts), "failed" if report.failed else "passed", color)
    guesses = sum(case.guess for case in report.cases)
    if guesses:
        cases = "1 case has" if guesses == 1 else f"{guesses} cases have"
        yield f"{cases} made-up objects (`guess: true`): confirm them, or --record real ones"


def _painted(text: str, outcome: CaseOutcome, color: bool) -> str:
    if not color:
        return text
    return style(text, fg=_COLORS.get(outcome, "yellow"), bold=_COLORS.get(outcome) == "red")
