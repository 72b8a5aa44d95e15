"""One HTML file without links to others, with the object of each state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape as escaped

from celvet.lint.explain.pages import VERDICT, Line, Page
from celvet.lint.prose import pieces, shown
from celvet.lint.safe_text import yaml_text

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #8884; padding: .3em .8em; text-align: left;
  vertical-align: top; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
.error { background: #d2222d33; }
.warning { background: #e6a70033; }
.info { background: #0a7bc433; }
"""


def render(report: Sequence[Page], color: bool) -> str:
    """One document, which loads nothing."""
    body = "\n".join(line for number, page in enumerate(report) for line in _page(page, number))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>celvet explain</title>\n<style>\n{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _page(page: Page, index: int) -> Iterator[str]:
    place = f"<code>{escape(page.field)}</code>"
    yield f"<h2>{escape(page.title)}, {place}: {escape(page.subject)}</h2>"
    yield "<dl>"
    for role, text in page.texts.items():
        yield f"<dt>{escape(role)}</dt><dd><pre>{escape(text.strip())}</pre></dd>"
    yield "</dl>"
    if page.clock:
        yield f"<p>{_prose(page.clock)}</p>"
    for head, lines in page.tables:
        heads = "".join(f"<th>{escape(each)}</th>" for each in (head, *page.texts, VERDICT))
        yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
        yield from (_row(line, page, index) for line in lines)
        yield "</tbody>\n</table>"
    if page.notes:
        yield "<ol>"
        for number, note in enumerate(page.notes, start=1):
            rule = f'<a href="{escape(note.url)}">{escape(note.rule)}</a>'
            yield (
                f'<li id="note-{index}-{number}">{_prose(note.message)} ({rule}).'
                f" {_prose(note.help)}</li>"
            )
        yield "</ol>"


def escape(text: str) -> str:
    """A text without markup and without characters that change the order of display."""
    return escaped(shown(text))


def _prose(text: str) -> str:
    """A message, what it quotes set as code."""
    return "".join(
        f"<code>{escape(piece)}</code>" if quoted else escape(piece)
        for piece, quoted in pieces(text)
    )


def _row(line: Line, page: Page, index: int) -> str:
    text = yaml_text(line.object, allow_unicode=True)
    summary = f"<summary>{_prose(line.description)}</summary>"
    state = f"<details>{summary}<pre>{escape(text)}</pre></details>"
    cells = "".join(_cell(role, text, line, page, index) for role, text in line.cells.items())
    return f"<tr><td>{state}</td>{cells}</tr>"


def _cell(role: str, text: str, line: Line, page: Page, index: int) -> str:
    numbers = line.marks.get(role, ())
    if not numbers:
        return f"<td>{escape(text)}</td>"
    worst = max(severity for number in numbers if (severity := page.notes[number - 1].severity))
    links = "".join(f' <a href="#note-{index}-{number}">({number})</a>' for number in numbers)
    return f'<td class="{worst}">{escape(text)}{links}</td>'
