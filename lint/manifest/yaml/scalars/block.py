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
        found.span(1) + found.span(2)[1:] for found in _LINE.finditer(source, header.end(), end)
    ]
    indent = _indentation([source[row[0] : row[1]] for row in rows], expected)
    lines = [_Line(min(left + indent, stop), stop, last) for left, stop, last in rows]
    content = [index for index, line in enumerate(lines) if line.stop > line.start]
    built = DecodingBuilder(source)
    _write_content(built, source, lines, content, folded=folded)
    _chomp(built, source, lines[content[-1] if content else 0 :], header[1], empty=not content)
    return built.done(header.end(), end)


def _write_content(
    built: DecodingBuilder, source: str, lines: list[_Line], content: list[int], *, folded: bool
) -> None:
    """All lines up to the last that has content, without its break."""
    if not content:
        return
    for empty in lines[: content[0]]:
        _put_break(built, source, empty)
    for index, following in pairwise(content):
        line, after = lines[index], lines[following]
        between = lines[index + 1 : following]
        built.copy(line.start, line.stop)
        if not (folded and _folds(source, line, after)):
            _put_break(built, source, line)
        elif not between:
            built.put(" ", line.stop, after.start)
        for empty in between:
            _put_break(built, source, empty)
    last = lines[content[-1]]
    built.copy(last.start, last.stop)


def _folds(source: str, line: _Line, after: _Line) -> bool:
    """Whether a break between two lines folds: neither is indented more than the rest."""
    kept = line_break(source[line.stop : line.end]) != "\n"
    return not kept and source[line.start] not in " \t" and source[after.start] not in " \t"


def _chomp(
    built: DecodingBuilder, source: str, rest: list[_Line], header: str, *, empty: bool
) -> None:
    """The breaks after the last content: none for `-`, all for `+`, else one.

    If the content has only empty lines, nothing is left of it without `+`.
    """
    if "-" in header or (empty and "+" not in header):
        return
    for line in rest if "+" in header else rest[:1]:
        _put_break(built, source, line)


def _put_break(built: DecodingBuilder, source: str, line: _Line) -> None:
    if line.end > line.stop:
        built.put(line_break(source[line.stop : line.end]), line.stop, line.end)


def _indentation(rows: list[str], expected: str) -> int:
    """How many columns of each source line are indentation."""
    decoded = [found[1] for found in _LINE.finditer(expected)]
    for row in rows:
        if row.strip(" "):
            first = next((text for text in decoded if text.strip(" ")), row)
            return _leading(row) - _leading(first)
    return max(map(len, rows), default=0) - max(map(len, decoded), default=0)


def _leading(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
