"""Markdown, for the summary of a job on GitHub or a comment: a table of the findings.

GitHub shows the summary of a step up to one mebibyte, and drops a longer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from celvet.lint.prose import markdown, markdown_cell
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.overview import by_message
from celvet.lint.report.printer import MARK, count, is_fixable, places, summary
from celvet.lint.report.report import Report
from celvet.lint.safe_text import unicode_text

_TITLE = ("### celvet lint", "")
_HEAD = ("| | rule | finding | place |", "|---|---|---|---|")
_MOST = 900_000
"""Bytes of the rows that are shown."""


def render(report: Report, color: bool) -> str:
    """A row for all findings with the same message, most severe first, then the summary."""
    rows = [_row(findings) for findings in by_message(report)]
    sizes = accumulate(len(row.encode(errors="replace")) for row in rows)
    first_rows = [row for row, size in zip(rows, sizes, strict=True) if size <= _MOST]
    table = [*_HEAD, *first_rows, ""] if first_rows else []
    beyond = len(rows) - len(first_rows)
    more = [f"- {count(beyond, 'row')} left out"] if beyond else []
    items = (f"- {markdown(line)}" for line in summary(report))
    return unicode_text("".join(f"{line}\n" for line in (*_TITLE, *table, *more, *items)))


def _row(findings: Sequence[LocatedFinding]) -> str:
    first_finding = findings[0]
    number = f"{len(findings)} x " if len(findings) > 1 else ""
    rule = f"[{first_finding.finding.rule}]({first_finding.finding.url})"
    mark = f" {markdown(MARK)}" if is_fixable(first_finding) else ""
    parts = filter(None, (first_finding.finding.message, first_finding.finding.help))
    text, where = "<br>".join(map(markdown_cell, parts)), markdown_cell(places(findings))
    return f"| {number}{first_finding.severity} | {rule}{mark} | {text} | {where} |"
