"""Explains how YAML breaks an expression; other errors keep the words of the parser."""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml
import yaml.reader

from celvet.regex import regex

_IN_QUOTES = "Put the value in quotes."
_LINE = regex(r"[^\r\n]*")
_CONTENT = regex(r"^[ \t]*+[^\s#][^\r\n]*", re.MULTILINE)
_COMMENT = regex(r"(?<!\S)#.*")
_TAG = regex(r"(?:(?<=[\r\n])[ \t]*|[:-][ \t]+)!(?!<)")
_KEY = regex(r"[ \t]*(?:- +)*[^\s:#]+:\s")
_QUOTED = regex(r"(['\"])[ \t]*\Z")
_HEX_ESCAPE = regex(r"\\[xuU][0-9A-Fa-f]{0,8}")
_OTHER_QUOTES = {"'": '`"..."`', '"': "`'...'`"}


class Mistake(NamedTuple):
    """A syntax mistake: message, remedy, and range in the text."""

    message: str
    help: str
    start: int
    end: int


def explain(text: str, error: yaml.YAMLError) -> Mistake:
    """Explain a parser's error about `text`.

    libyaml reports where it had to stop, which is often far from the mistake.
    """
    if isinstance(error, yaml.reader.ReaderError):
        start = max(text.find(chr(error.character)), 0)
        message = f"the character U+{error.character:04X} is not allowed in YAML"
        help_ = "Remove the character, or escape it in double quotes."
        return Mistake(message, help_, start, start + 1)
    problem = getattr(error, "problem", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    context = getattr(error, "context_mark", None)
    offset = min(mark.index, len(text)) if mark else 0
    origin = min(context.index, len(text)) if context else offset
    mistake = _tag(text, offset)
    for words, explainer in () if mistake else _EXPLAINERS:
        if words in problem:
            mistake = explainer(text, offset, origin)
            break
    if mistake:
        return mistake
    task = getattr(error, "context", None)  # such as "while parsing a flow sequence"
    message = f"invalid YAML {task}: {problem}" if task else f"invalid YAML: {problem}"
    # The end of the text is no place to look at, but a bracket that is still open is.
    last_offset = _last_character(text)
    start = offset if offset <= last_offset else min(origin, last_offset)
    return Mistake(message, "Correct the YAML.", start, _line_end(text, start))


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    line = _LINE.match(text, offset)
    return line.end() if line else offset


def _last_character(text: str) -> int:
    """The offset of the last character that is not part of a comment."""
    lines = [*_CONTENT.finditer(text)]
    return lines[-1].start() + len(_COMMENT.sub("", lines[-1][0]).rstrip()) - 1 if lines else 0


def _tag(text: str, offset: int) -> Mistake | None:
    """A value that begins with `!` on the line, which makes a tag of its first word."""
    ends = (text.rfind(mark, 0, offset) + 1 for mark in ",[]{}")
    tag = _TAG.search(text, max(_line_start(text, offset), *ends), offset)
    if not tag:
        return None
    message = "`!` at the beginning of a value starts a tag of YAML"
    return Mistake(message, _IN_QUOTES, tag.end() - 1, _line_end(text, offset))


def _bad_start(text: str, offset: int, origin: int) -> Mistake:
    char = text[offset : offset + 1]
    if char == "\t":
        return _tab(text, offset, origin)
    message = f"a value without quotes cannot start with `{char}`"
    return Mistake(message, _IN_QUOTES, offset, offset + 1)


def _tab(text: str, offset: int, _: int) -> Mistake:
    tab = text.find("\t", _line_start(text, offset), offset + 1)
    start = tab if tab >= 0 else offset
    message = "a tab in the indentation: YAML allows spaces only"
    return Mistake(message, "Replace the tab by spaces.", start, start + 1)


def _unclosed_quote(text: str, _: int, origin: int) -> Mistake:
    quote = text[origin : origin + 1]
    message = f"the quote `{quote}` that opens here is never closed"
    return Mistake(message, f"Close the text with `{quote}`.", origin, _line_end(text, origin))


def _second_colon(text: str, offset: int, _: int) -> Mistake | None:
    if not _KEY.match(text[_line_start(text, offset) : offset]):
        return None
    message = "a second `: ` in one value, which would start a mapping inside it"
    return Mistake(message, _IN_QUOTES, offset, offset + 1)


def _text_after_quote(text: str, offset: int, _: int) -> Mistake | None:
    closing_quote = _QUOTED.search(text[_line_start(text, offset) : offset])
    if not closing_quote or offset == _line_end(text, offset):
        return None
    message = f"text follows the closing quote `{closing_quote[1]}`"
    help_ = (
        f"Double the quotes inside the text, or quote all of it: {_OTHER_QUOTES[closing_quote[1]]}."
    )
    return Mistake(message, help_, offset, _line_end(text, offset))


def _escape(text: str, offset: int, origin: int) -> Mistake:
    backslash = max(text.rfind("\\", origin, offset + 2), origin)
    number = _HEX_ESCAPE.match(text, backslash)
    end = number.end() if number else backslash + 2
    message = f"`{text[backslash:end]}` is not {'a character' if number else 'an escape of YAML'}"
    help_ = "Double the backslash, or use single quotes, in which it has no meaning."
    return Mistake(message, help_, backslash, end)


_EXPLAINERS = (
    ("cannot start any token", _bad_start),
    ("tab character", _tab),
    ("unexpected end of stream", _unclosed_quote),
    ("unexpected document indicator", _unclosed_quote),
    ("mapping values are not allowed", _second_colon),
    ("did not find expected key", _text_after_quote),
    ("escape character", _escape),
    ("hexdecimal", _escape),
    ("invalid Unicode character", _escape),
)
