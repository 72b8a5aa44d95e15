"""Messages fit for pages: what they quote set as code, nothing that reorders a line."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.safe_text import terminal_text
from celvet.regex import regex

QUOTED = regex(r"(?<![^\s(\[])`(.+?)`(?![^\s,.;:?!)\]])")
"""What a message quotes. It may have backquotes itself: those that begin and end stand beside a
space or punctuation."""

_MARKUP = regex(r"[\\`*_~\[\]]")


def shown(text: str) -> str:
    """The text on its lines, without what would change how others of it are shown."""
    return "\n".join(map(terminal_text, text.split("\n")))


def on_one_line(text: str) -> str:
    """The same, all on one line."""
    return shown(" ".join(text.split()))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a message on one line, in order; True with those that it quotes."""
    for index, piece in enumerate(QUOTED.split(on_one_line(text))):
        if piece:
            yield piece, index % 2 == 1


def markdown(text: str) -> str:
    """A message on one line of Markdown, what it quotes set as code."""
    return "".join(
        markdown_code(piece) if quoted else markdown_text(piece) for piece, quoted in pieces(text)
    )


def markdown_cell(text: str) -> str:
    """The same without what would end the cell of a table, in code as well."""
    return markdown(text).replace("|", r"\|")


def markdown_text(text: str) -> str:
    """A text of one line without what would be markup."""
    line = text.replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", line)


def markdown_code(text: str) -> str:
    """As code, with more backquotes around it than stand in a row in it."""
    line = on_one_line(text)
    fence = "`"
    while fence in line:
        fence += "`"
    return f"{fence}{line}{fence}" if fence == "`" else f"{fence} {line} {fence}"
