"""The result of an execution, and which part of the template each part of it comes from."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from celvet.lint.go.quoting import from_bytes, is_surrogate_byte, to_bytes
from celvet.lint.gotemplate.errors import SourceSpan
from celvet.record import field, record


class Segment(NamedTuple):
    """A stretch of the output that one text or one action of the template wrote.

    Attributes:
        start, end: the stretch of the output, in code points.
        source: what wrote it. For literal text, a span as long as the stretch, with the same
            characters; for an action, its pipeline.
        action: the whole action, with its delimiters; None for literal text.
    """

    start: int
    end: int
    source: SourceSpan
    action: SourceSpan | None

    @property
    def literal(self) -> bool:
        """Whether the stretch is copied literally from the template."""
        return self.action is None


@record
class Rendered:
    """The output of a template.

    Attributes:
        text: the output. A byte that is not UTF-8 is a lone surrogate (`surrogateescape`).
        segments: in the order of the output, without gaps, none of them empty.
        steps: how many steps the execution took, as `Limits` counts them.
    """

    text: str
    segments: tuple[Segment, ...]
    steps: int = field(default=0, compare=False)

    def at(self, offset: int) -> Segment | None:
        """The segment that wrote the character at `offset`; at the end of the output, the last.

        None if the output is empty.
        """
        index = bisect_right(self.segments, offset, key=lambda segment: segment.start) - 1
        return self.segments[max(index, 0)] if self.segments else None

    def source_offset(self, offset: int) -> int:
        """Where in the template the character at `offset` comes from.

        Of literal text, the character itself; of an action's output, where the action begins.
        """
        segment = self.at(offset)
        if segment is None:
            return 0
        if segment.action is not None:
            return segment.action.start
        return segment.source.start + min(offset, segment.end) - segment.start

    def source_span(self, start: int, end: int) -> SourceSpan:
        """The stretch of the template that wrote the output from `start` to `end`.

        An action that wrote a part of it is in it as a whole. Where pieces come from several
        places, as with `template`, it reaches from the first place to the last.
        """
        writers = [
            segment for segment in self.segments if segment.start < end and segment.end > start
        ]
        if not writers:
            offset = self.source_offset(start)
            return SourceSpan(offset, offset)
        spans = [_source(segment, start, end) for segment in writers]
        return SourceSpan(min(span.start for span in spans), max(span.end for span in spans))


def _source(segment: Segment, start: int, end: int) -> SourceSpan:
    if segment.action is not None:
        return segment.action
    shift = segment.source.start - segment.start
    return SourceSpan(max(start, segment.start) + shift, min(end, segment.end) + shift)


class SourcePiece(NamedTuple):
    """A text as an execution writes it."""

    text: str
    source: SourceSpan
    action: SourceSpan | None


def assemble(pieces: list[SourcePiece]) -> Rendered:
    """Put the pieces together."""
    if any(not piece.text.isascii() and _has_bytes(piece.text) for piece in pieces):
        pieces = _joined_bytes(pieces)
    segments: list[Segment] = []
    offset = 0
    for piece in pieces:
        if not piece.text:
            continue
        end = offset + len(piece.text)
        segments.append(Segment(offset, end, piece.source, piece.action))
        offset = end
    return Rendered("".join(piece.text for piece in pieces), tuple(segments))


def _has_bytes(text: str) -> bool:
    return any(map(is_surrogate_byte, text))


def _joined_bytes(pieces: list[SourcePiece]) -> list[SourcePiece]:
    """Two actions may write half a character each: the first one gets the whole."""
    texts = [piece.text for piece in pieces]
    for index in range(len(texts) - 1):
        text, following = texts[index], texts[index + 1]
        while (
            text and is_surrogate_byte(text[-1]) and following and is_surrogate_byte(following[0])
        ):
            text, following = text + following[0], following[1:]
        texts[index], texts[index + 1] = text, following
    return [
        SourcePiece(from_bytes(to_bytes(text)), piece.source, piece.action)
        for text, piece in zip(texts, pieces, strict=True)
    ]
