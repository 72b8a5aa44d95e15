"""The smallest parts of the dialect: characters, ends of parts, and quotes.

Positions are code points of one text; -1 where a part does not end on its line.
"""

from __future__ import annotations

import re

from celvet.lint.go.quoting import is_digit, is_letter
from celvet.regex import regex

NAME = regex(r"(?:\\.?|[^\\ \t\r\n.,\[\]$@{}])*", re.DOTALL)
"""A key after a dot; a backslash includes the next character."""
WORD = regex(r"[^ \t\r\n.,\[\]$@{}]*")
NUMBER = regex(r"[+-]?[.\d]*")
SLICE = regex(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
COMPARISON = regex(r"([^!<>=]+)([!<>=]+)(.+)")
"""The inside of a comparing filter; the first run of `!<>=` splits it, quoted or not."""

_ESCAPE = regex(
    r"""\\(?:(?P<plain>[abfnrtv\\'"])|x(?P<byte>[0-9a-fA-F]{2})|(?P<octal>[0-7]{3})"""
    r"""|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))"""
)
_PLAIN = dict(zip("abfnrtv\\", "\a\b\f\n\r\t\v\\", strict=True))


def is_word_character(char: str) -> bool:
    """A letter, a digit or an underscore; false for no character."""
    return bool(char) and (char == "_" or is_letter(char) or is_digit(char))


def line_end(text: str, start: int) -> int:
    """The end of the line, at which every bracket, quote and filter must be closed."""
    newline = text.find("\n", start)
    return newline if newline >= 0 else len(text)


def quote_end(text: str, start: int, line: int) -> int:
    """The end of the quote that opens at `start`: the first quote without a backslash before it."""
    quote = text[start]
    end = text.find(quote, start + 1, line)
    while end >= 0 and text[end - 1] == "\\":
        end = text.find(quote, end + 1, line)
    return end


def filter_end(text: str, start: int, line: int) -> int:
    """The closing parenthesis of a filter whose condition begins at `start`.

    Only one pair of quotes is known: parentheses inside it do not count, and
    an escaped quote may open it but not close it.
    """
    quote = ""
    closed = False
    for index in range(start, line):
        char = text[index]
        if char == ")" and bool(quote) == closed:
            return index
        if char not in "\"'":
            continue
        if not quote:
            quote = char
        elif char == quote and text[index - 1] != "\\":
            closed = True
    return -1


def unquote(text: str) -> str | None:
    r"""The text between its quotes with escapes resolved; None for a wrong escape.

    Mirrors `UnquoteExtend` of client-go. Bytes that are not UTF-8 (`\xff`) become the lone
    surrogates of Python's `surrogateescape`.
    """
    quote, inside = text[0], text[1:-1]
    if "\\" not in inside:
        return None if quote in inside else inside
    out = bytearray()
    index = 0
    while index < len(inside):
        piece = _character(inside, index, quote)
        if piece is None:
            return None
        value, length = piece
        out += value
        index += length
    return out.decode("utf-8", "surrogateescape")


def _character(text: str, index: int, quote: str) -> tuple[bytes, int] | None:
    """The bytes that the next character or escape stands for, and its length."""
    char = text[index]
    if char == quote:
        return None
    if char != "\\":
        return char.encode(), 1
    match = _ESCAPE.match(text, index)
    if match is None:
        return None
    value = _escaped(match, quote)
    return None if value is None else (value, match.end() - index)


def _escaped(match: re.Match[str], quote: str) -> bytes | None:
    if plain := match["plain"]:
        known = _PLAIN.get(plain) or (quote if plain == quote else None)
        return None if known is None else known.encode()
    if match["byte"] or match["octal"]:
        number = int(match["byte"], 16) if match["byte"] else int(match["octal"], 8)
        return bytes([number]) if number < 256 else None
    return _code_point(int(match["short"] or match["long"], 16))


def _code_point(number: int) -> bytes | None:
    valid = number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    return chr(number).encode() if valid else None
