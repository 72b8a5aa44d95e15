"""For a pull request: a table of states an entry, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lint.explain.pages import VERDICT, Line, Page


def render(report: Sequence[Page], color: bool) -> str:
    """All pages, a heading each."""
    return "\n".join("".join(f"{line}\n" for line in _page(page)) for page in report)


def _page(page: Page) -> Iterator[str]:
    yield f"## {_escaped(page.title)}, `{page.field}`: {_escaped(page.subject)}"
    yield ""
    yield from (f"- `{role}`: {_code(text)}" for role, text in page.texts.items())
    yield ""
    heads = ["an object", *page.texts, VERDICT]
    yield _row(heads)
    yield _row(["---"] * len(heads))
    yield from (_row([_escaped(line.description), *_cells(line)]) for line in page.lines)
    if page.notes:
        yield ""
    for number, note in enumerate(page.notes, start=1):
        help_ = f" {_escaped(note.help)}" if note.help else ""
        rule = f"[{note.rule}]({note.url})"
        yield f"{number}. **{note.severity}** {_escaped(note.message)} ({rule}).{help_}"


def _cells(line: Line) -> Iterator[str]:
    for role, text in line.cells.items():
        marks = "".join(f" ({number})" for number in line.marks.get(role, ()))
        yield f"**{text}{marks}**" if marks else text


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """On one line, and without what would end a cell or begin a tag."""
    return " ".join(text.split()).replace("|", r"\|").replace("<", "&lt;")


def _code(text: str) -> str:
    """As code, with more backquotes around it than stand in a row in it."""
    line = " ".join(text.split())
    fence = "`"
    while fence in line:
        fence += "`"
    return f"{fence}{line}{fence}" if fence == "`" else f"{fence} {line} {fence}"
