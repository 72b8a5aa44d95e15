"""The result of decoding a scalar, code point by code point."""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.model import Span
from celvet.record import record


@record
class Decoding:
    """Decoded text; code point `i` is written by the source from `starts[i]` to `ends[i]`.

    Offsets count code points of the source. `start` and `end` bound the text between the quotes or
    after the block header.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    start: int
    end: int

    @classmethod
    def coarse(cls, text: str, start: int, end: int) -> Decoding:
        """Map every code point to the whole source range."""
        return cls(text, [start] * len(text), [end] * len(text), start, end)

    def source(self, span: Span) -> Span:
        """The smallest source range that writes the span; clamped to the text.

        An empty span is a point: before the code point there, or after the last.
        """
        size = len(self.text)
        start_index, end_index = max(0, min(span.start, size)), max(0, min(span.end, size))
        if not size:
            return Span(self.start, self.start)
        start = self.starts[start_index] if start_index < size else self.ends[size - 1]
        return Span(start, self.ends[end_index - 1] if end_index > start_index else start)


class DecodingBuilder:
    """Collects decoded code points and their source ranges."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._text: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    def copy(self, start: int, end: int) -> None:
        """Add a literal source range, each code point for itself."""
        self._text.append(self._source[start:end])
        self._starts.extend(range(start, end))
        self._ends.extend(range(start + 1, end + 1))

    def put(self, char: str, start: int, end: int) -> None:
        """Write one code point for a source range."""
        self._text.append(char)
        self._starts.append(start)
        self._ends.append(end)

    def decoding(self, start: int, end: int) -> Decoding:
        """The decoding of what lies between `start` and `end`."""
        return Decoding("".join(self._text), self._starts, self._ends, start, end)
