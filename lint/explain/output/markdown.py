"""Markdown, for a pull request: a table of states for each check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.explain.page import Line, Page
from celvet.lint.prose import markdown, markdown_cell, markdown_code, markdown_text, on_one_line


def render(report: Sequence[Page], color: bool) -> str:
    """All pages, each with a heading."""
    return "\n".join("".join(f"{line}\n" for line in _page(page)) for page in report)


def _page(page: Page) -> Iterator[str]:
    title, subject = (markdown_text(on_one_line(text)) for text in (page.title, page.subject))
    field = f", {markdown_code(page.field)}" if page.field else ""
    yield f"## {title}{field}: {subject}"
    yield ""
    yield from (f"- `{role}`: {markdown_code(text)}" for role, text in page.texts.items())
    if page.timing:
        yield from ("", markdown(page.timing))
    if page.place:
        yield from ("", markdown_code(page.place))
    for head, lines in page.tables:
        heads = [markdown_cell(head), *page.columns]
        yield from ("", *_table(heads, [[markdown_cell(x.description), *_cells(x)] for x in lines]))
    if page.fixed_texts:
        yield from ("", "Fixed:", "")
        yield from (f"- `{role}`: {markdown_code(text)}" for role, text in page.fixed_texts.items())
    if page.notes:
        yield ""
    for number, note in enumerate(page.notes, start=1):
        advice = f" {markdown(note.help)}" if note.help else ""
        rule = f"[{note.rule}]({note.url})"
        yield f"{number}. **{note.severity}** {markdown(note.message)} ({rule}).{advice}"


def _cells(line: Line) -> Iterator[str]:
    for role, text in line.cells.items():
        marks = "".join(f" ({number})" for number in line.marks.get(role, ()))
        yield f"**{text}{marks}**" if marks else text


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table with aligned columns: some editors show the source of a hover."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for cells in (heads, ["-" * width for width in widths], *rows):
        padded_cells = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"| {' | '.join(padded_cells)} |"
