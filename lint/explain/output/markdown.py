"""Markdown, for a pull request: a table of states for each check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from celvet.lint.explain.pages import VERDICT, Line, Page
from celvet.lint.explain.prose import on_one_line, pieces

_MARKUP = re.compile(r"[\\`*_~\[\]]")


def render(report: Sequence[Page], color: bool) -> str:
    """All pages, each with a heading."""
    return "\n".join("".join(f"{line}\n" for line in _page(page)) for page in report)


def _page(page: Page) -> Iterator[str]:
    title, subject = (_escaped(on_one_line(text)) for text in (page.title, page.subject))
    yield f"## {title}, {_code(page.field)}: {subject}"
    yield ""
    yield from (f"- `{role}`: {_code(text)}" for role, text in page.texts.items())
    yield ""
    heads = ["an object", *page.texts, VERDICT]
    yield _row(heads)
    yield _row(["---"] * len(heads))
    yield from (_row([_in_cell(line.description), *_cells(line)]) for line in page.lines)
    if page.notes:
        yield ""
    for number, note in enumerate(page.notes, start=1):
        help_ = f" {_prose(note.help)}" if note.help else ""
        rule = f"[{note.rule}]({note.url})"
        yield f"{number}. **{note.severity}** {_prose(note.message)} ({rule}).{help_}"


def _cells(line: Line) -> Iterator[str]:
    for role, text in line.cells.items():
        marks = "".join(f" ({number})" for number in line.marks.get(role, ()))
        yield f"**{text}{marks}**" if marks else text


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _in_cell(text: str) -> str:
    """A message without what would end the cell, in code as well."""
    return _prose(text).replace("|", r"\|")


def _prose(text: str) -> str:
    """A message, what it quotes set as code."""
    return "".join(_code(piece) if quoted else _escaped(piece) for piece, quoted in pieces(text))


def _escaped(text: str) -> str:
    """A text of one line without what would be markup."""
    line = text.replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", line)


def _code(text: str) -> str:
    """As code, with more backquotes around it than stand in a row in it."""
    line = on_one_line(text)
    fence = "`"
    while fence in line:
        fence += "`"
    return f"{fence}{line}{fence}" if fence == "`" else f"{fence} {line} {fence}"
