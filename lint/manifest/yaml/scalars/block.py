"""Literal and folded block scalars, with any header and indentation."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from celvet.lint.manifest.yaml.scalars.decoding import Decoding, DecodingBuilder
from celvet.lint.manifest.yaml.scalars.flow import BREAK, line_break
from celvet.regex import regex

_HEADER = regex(rf"[|>]([-+0-9]*)[^\r\n\x85\u2028\u2029]*({BREAK}|$)")
_LINE = regex(rf"([^\r\n\x85\u2028\u2029]*)({BREAK}|\Z)")


class _Line(NamedTuple):
    """A line of content: its text from `start` to `stop`, its break from there to `end`."""

    start: int
    stop: int
    end: int


def decode_block(source: str, start: int, end: int, expected: str, *, folded: bool) -> Decoding:
    """Decode a block scalar that starts at its `|` or `>`.

    If the header names the indentation, it counts from the parent node. So it is found by comparing
    the first lines of the source with those of `expected`, the parser's text.
    """
    header = _HEADER.match(source, start, end)
    if header is None:
        return Decoding.coarse(expected, start, end)
    rows = [
        match.span(1) + match.span(2)[1:] for match in _LINE.finditer(source, header.end(), end)
    ]
    indent = _indentation([source[row[0] : row[1]] for row in rows], expected)
    lines = [_Line(min(begin + indent, stop), stop, line_end) for begin, stop, line_end in rows]
    content = [index for index, line in enumerate(lines) if line.stop > line.start]
    builder = DecodingBuilder(source)
    _write_content(builder, source, lines, content, folded=folded)
    _chomp(builder, source, lines[content[-1] if content else 0 :], header[1], empty=not content)
    return builder.decoding(header.end(), end)


def _write_content(
    builder: DecodingBuilder, source: str, lines: list[_Line], content: list[int], *, folded: bool
) -> None:
    """All lines up to the last that has content, without its break."""
    if not content:
        return
    for empty in lines[: content[0]]:
        _put_break(builder, source, empty)
    for index, following in pairwise(content):
        # The break behind a line stays, unless it folds: then it becomes a space, or nothing where
        # empty lines follow, whose own breaks stay.
        line, next_line = lines[index], lines[following]
        empty_lines = lines[index + 1 : following]
        builder.copy(line.start, line.stop)
        if not (folded and _folds(source, line, next_line)):
            _put_break(builder, source, line)
        elif not empty_lines:
            builder.put(" ", line.stop, next_line.start)
        for empty in empty_lines:
            _put_break(builder, source, empty)
    last_line = lines[content[-1]]
    builder.copy(last_line.start, last_line.stop)


def _folds(source: str, line: _Line, next_line: _Line) -> bool:
    """Whether a break between two lines folds: neither is indented more than the rest."""
    is_kept = line_break(source[line.stop : line.end]) != "\n"
    return not is_kept and source[line.start] not in " \t" and source[next_line.start] not in " \t"


def _chomp(
    builder: DecodingBuilder, source: str, lines: list[_Line], header: str, *, empty: bool
) -> None:
    """The breaks after the last content: none for `-`, all for `+`, else one.

    If the content has only empty lines, nothing is left of it without `+`.
    """
    if "-" in header or (empty and "+" not in header):
        return
    for line in lines if "+" in header else lines[:1]:
        _put_break(builder, source, line)


def _put_break(builder: DecodingBuilder, source: str, line: _Line) -> None:
    if line.end > line.stop:
        builder.put(line_break(source[line.stop : line.end]), line.stop, line.end)


def _indentation(rows: list[str], expected: str) -> int:
    """How many columns of each source line are indentation."""
    decoded_lines = [match[1] for match in _LINE.finditer(expected)]
    for row in rows:
        if row.strip(" "):
            first_line = next((text for text in decoded_lines if text.strip(" ")), row)
            return _leading(row) - _leading(first_line)
    return max(map(len, rows), default=0) - max(map(len, decoded_lines), default=0)


def _leading(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
