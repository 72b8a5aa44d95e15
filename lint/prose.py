"""Prepares messages for pages: quoted text becomes code, control characters are removed."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.safe_text import terminal_text
from celvet.regex import regex

QUOTED = regex(r"(?<![^\s(\[])`(.+?)`(?![^\s,.;:?!)\]])")
"""A quotation in a message. It may contain backquotes itself: those that begin and end are beside a
space or punctuation."""

_MARKUP = regex(r"[\\`*_~\[\]]")


def printable_lines(text: str) -> str:
    """The lines of a text, without characters that change how other characters are shown."""
    return "\n".join(map(terminal_text, text.split("\n")))


def on_one_line(text: str) -> str:
    """The text on one line, without characters that change how other characters are shown."""
    return printable_lines(" ".join(text.split()))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a message on one line, in order, each with True if it is a quotation."""
    for index, piece in enumerate(QUOTED.split(on_one_line(text))):
        if piece:
            yield piece, index % 2 == 1


def markdown(text: str) -> str:
    """A message on one line of Markdown, with quotations as code."""
    return "".join(
        markdown_code(piece) if is_code else markdown_text(piece) for piece, is_code in pieces(text)
    )


def markdown_cell(text: str) -> str:
    """A message for the cell of a Markdown table: `|` is escaped, also in code."""
    return markdown(text).replace("|", r"\|")


def markdown_text(text: str) -> str:
    """A text of one line with all markup escaped."""
    line = text.replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", line)


def markdown_code(text: str) -> str:
    """The text as code, between more backquotes than it has in a row."""
    line = on_one_line(text)
    fence = "`"
    while fence in line:
        fence += "`"
    return f"{fence}{line}{fence}" if fence == "`" else f"{fence} {line} {fence}"


def html(text: str) -> str:
    """A message in HTML, with quotations as code."""
    return "".join(
        f"<code>{html_text(piece)}</code>" if is_code else html_text(piece)
        for piece, is_code in pieces(text)
    )


def html_text(text: str) -> str:
    """A text without markup and without characters that change the order of display."""
    from html import escape  # most runs write no HTML

    return escape(printable_lines(text))


def html_document(title: str, *, style: str, body: str, script: str = "") -> str:
    """A document in UTF-8, which is XML too and loads nothing; `title` is plain text."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{html_text(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n{script}</body>\n</html>\n"
    )
