"""What a page says, fit to be shown: what is quoted told apart, nothing that reorders a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from celvet.lint.safe_text import terminal_text

# A text that is quoted may have backquotes itself: those that begin and end stand
# beside a space or punctuation.
_QUOTED = re.compile(r"(?<![^\s(\[])`(.+?)`(?![^\s,.;:?!)\]])")


def shown(text: str) -> str:
    """The text on its lines, without what would change how others of it are shown."""
    return "\n".join(map(terminal_text, text.split("\n")))


def on_one_line(text: str) -> str:
    """The same, all on one line."""
    return shown(" ".join(text.split()))


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a message on one line, in order; True with those that it quotes."""
    for index, piece in enumerate(_QUOTED.split(on_one_line(text))):
        if piece:
            yield piece, index % 2 == 1
