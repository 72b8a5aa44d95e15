"""Positions in a text as an editor counts them, and changes at such positions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from lsprotocol import types as lsp

from celvet.lint.locate.edits import FileEdit, apply_edits
from celvet.lint.model import Span

_UNITS = {
    lsp.PositionEncodingKind.Utf8: ("utf-8", 1),
    lsp.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    lsp.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}
"""What the client counts -> the codec, and the bytes of one unit in it."""


class EditorText:
    """A text with positions in the units negotiated with the client.

    Only LF, CR LF and CR end a line, as in the protocol. pygls splits at more characters, so its
    own copy of a text is not used.
    """

    def __init__(
        self, text: str, encoding: lsp.PositionEncodingKind = lsp.PositionEncodingKind.Utf16
    ) -> None:
        self.text = text
        self.encoding = encoding

    @cached_property
    def _starts(self) -> Sequence[int]:
        lines = self.text.replace("\r\n", " \n").replace("\r", "\n").split("\n")
        return [*accumulate((len(line) + 1 for line in lines[:-1]), initial=0)]

    def position(self, offset: int) -> lsp.Position:
        """The position of an offset in code points; one beyond the end counts as the end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return lsp.Position(line, self._count(self.text[self._starts[line] : offset]))

    def range(self, span: Span) -> lsp.Range:
        """The range of a span of code points."""
        return lsp.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: lsp.Position) -> int:
        """The offset of a position; one beyond a line counts as the line's end."""
        if position.line >= len(self._starts):
            return len(self.text)
        line = self.line(position.line)
        return self._starts[position.line] + self._index(line, position.character)

    def span(self, range_: lsp.Range) -> Span:
        """The span of a range."""
        return Span(self.offset(range_.start), self.offset(range_.end))

    def line(self, number: int) -> str:
        """A line, counted from 0, without its break."""
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[number] : end].rstrip("\r\n")

    def line_start(self, offset: int) -> int:
        """The offset at which the line of an offset begins."""
        return self._starts[bisect_right(self._starts, offset) - 1]

    def changed(self, change: lsp.TextDocumentContentChangeEvent) -> EditorText:
        """The text after a change by the client, of a range or of everything."""
        if isinstance(change, lsp.TextDocumentContentChangePartial):
            edit = FileEdit(self.span(change.range), change.text)
            return EditorText(apply_edits(self.text, [edit]), self.encoding)
        return EditorText(change.text, self.encoding)

    def text_edit(self, edit: FileEdit) -> lsp.TextEdit:
        """An edit as the client makes it."""
        return lsp.TextEdit(self.range(edit.span), edit.text)

    def _count(self, text: str) -> int:
        codec, size = _UNITS[self.encoding]
        return len(text.encode(codec, "surrogatepass")) // size

    def _index(self, line: str, units: int) -> int:
        """The number of code points in so many units; a position inside one is before it."""
        if line.isascii():
            return min(units, len(line))
        unit_count = 0
        for index, char in enumerate(line):
            unit_count += self._count(char)
            if unit_count > units:
                return index
        return len(line)
