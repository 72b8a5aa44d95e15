"""Text for a terminal: a table of states for each check, with the findings marked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.markup import escape as escaped
from rich.table import Table

from celvet.lint.explain.page import Line, Page
from celvet.lint.model import Severity
from celvet.lint.safe_text import terminal_text

_LEAST_WIDTH = 40
_TABLE_WIDTH = 80
"""A narrower terminal has a block for each state instead."""
_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def render(report: Sequence[Page], color: bool) -> str:
    """All pages, one below the other."""
    target = StringIO()
    width = max(_LEAST_WIDTH, shutil.get_terminal_size((100, 24)).columns)
    console = Console(
        file=target, force_terminal=color, no_color=not color, width=width, emoji=False
    )
    for number, page in enumerate(report):
        if number:
            console.print()
        _print(page, console)
    return "".join(f"{line.rstrip()}\n" for line in target.getvalue().splitlines())


def escape(text: str) -> str:
    """A text, escaped: no markup, no control characters."""
    return escaped(terminal_text(text))


def _print(page: Page, console: Console) -> None:
    console.print(f"[bold]{escape(page.heading)}[/bold]")
    console.print(f"[dim]{escape(page.place)}[/dim]", soft_wrap=True)
    for role, text in () if page.lines else page.texts.items():
        console.print(f"    {escape(f'{role}: {text.strip()}')}", soft_wrap=True)
    if page.timing:
        console.print(escape(page.timing), soft_wrap=True)
    for head, lines in page.tables:
        if console.width < _TABLE_WIDTH:
            _print_blocks(lines, page, console)
        else:
            _print_table(head, lines, page, console)
    for number, note in enumerate(page.notes, start=1):
        style = _STYLES[note.severity or Severity.INFO]
        console.print(
            f"[{style}]({number})[/{style}] {escape(note.message)}"
            f" [dim]{escape(f'[{note.rule}]')}[/dim]",
            soft_wrap=True,
        )
        if note.help:
            console.print(f"    {escape(note.help)}", soft_wrap=True)


def _print_table(head: str, lines: Sequence[Line], page: Page, console: Console) -> None:
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(escape(head), max_width=60)
    for role in page.columns:
        table.add_column(role)
    for line in lines:
        table.add_row(escape(line.description), *_cells(line, page))
    console.print(table)


def _print_blocks(lines: Sequence[Line], page: Page, console: Console) -> None:
    heads = page.columns
    width = max(map(len, heads))
    console.print()
    for line in lines:
        console.print(escape(line.description))
        for head, cell in zip(heads, _cells(line, page), strict=True):
            console.print(f"    {head:{width}}  {cell}")
    console.print()


def _cells(line: Line, page: Page) -> Iterator[str]:
    for role, text in line.cells.items():
        numbers = line.marks.get(role, ())
        if not numbers:
            yield escape(text)
            continue
        worst = max(page.notes[number - 1].severity or Severity.INFO for number in numbers)
        marks = "".join(f" ({number})" for number in numbers)
        yield f"[{_STYLES[worst]}]{escape(text)}{marks}[/{_STYLES[worst]}]"
