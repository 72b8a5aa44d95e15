"""Lines and columns of a text."""

from __future__ import annotations

from bisect import bisect_right

from celvet.lint.model import Span
from celvet.record import record
from celvet.regex import regex

_BREAK = regex(r"\r\n|\r|\n")


@record
class LineRange:
    """A range as people count: lines and columns from 1, columns in code points, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Lines:
    """The lines of a text as editors count them.

    LF, CR LF and CR end a line. NEL, U+2028 and U+2029, which are line breaks
    to YAML 1.1, do not.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(line_break.end() for line_break in _BREAK.finditer(text))]

    def place(self, span: Span) -> LineRange:
        """The place of a range of the text; offsets beyond the text count as its end."""
        return LineRange(*self._position(span.start), *self._position(span.end))

    def text(self, line: int) -> str:
        """One line, counted from 1, without its break; empty beyond the last."""
        if not 0 < line <= len(self._starts):
            return ""
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        return self._text[start:end].rstrip("\r\n")

    def _position(self, offset: int) -> tuple[int, int]:
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
