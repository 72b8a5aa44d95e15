"""The smallest parts of the dialect: which characters make what, and where a part ends.

Positions are code points of one text; -1 where a part does not end on its line.
"""

from __future__ import annotations

import re

from celvet.lint.go.quoting import is_digit, is_letter
from celvet.regex import regex

NAME = regex(r"(?:\\.?|[^\\ \t\r\n.,\[\]$@{}])*", re.DOTALL)
"""A key after a dot; a backslash takes the next character into it."""
WORD = regex(r"[^ \t\r\n.,\[\]$@{}]*")
NUMBER = regex(r"[+-]?[.\d]*")
SLICE = regex(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
COMPARISON = regex(r"([^!<>=]+)([!<>=]+)(.+)")
"""The inside of a filter that compares; the first run of `!<>=` parts it, quoted or not."""


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
