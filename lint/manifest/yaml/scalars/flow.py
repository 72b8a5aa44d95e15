"""Plain, single-quoted and double-quoted scalars, folded over lines or not."""

from __future__ import annotations

import re

from celvet.lint.manifest.yaml.scalars.decoding import Decoding, DecodingBuilder
from celvet.regex import regex

BREAK = "(?:\r\n|[\r\n\x85\u2028\u2029])"
"""One line break as YAML 1.1 counts them."""

# possessive, and spaces that do not fold are matched as a whole: linear for any input
_FOLD = f"(?P<fold>[ \t]*+(?:{BREAK}[ \t]*+)++)|(?P<blank>[ \t]++)"
_PLAIN = regex(_FOLD)
_SINGLE = regex(f"{_FOLD}|(?P<escape>'')")
_DOUBLE = regex(
    rf"{_FOLD}|\\(?:(?P<joined>(?:{BREAK}[ \t]*+)++)"
    r"|(?P<escape>x[0-9A-Fa-f]{2}|u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}"
    r"|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.))"
)
_BREAK = regex(BREAK)
_KEPT_BREAKS = ("\u2028", "\u2029")
_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}


def line_break(text: str) -> str:
    """A line break of the decoded text."""
    return text if text in _KEPT_BREAKS else "\n"


def decode_plain(source: str, start: int, end: int) -> Decoding:
    """Decode a plain scalar; its end excludes trailing blanks and comments."""
    return _decode(_PLAIN, source, start, end)


def decode_single(source: str, start: int, end: int) -> Decoding:
    """Decode a single-quoted scalar; the range includes the quotes."""
    return _decode(_SINGLE, source, start + 1, end - 1)


def decode_double(source: str, start: int, end: int) -> Decoding:
    """Decode a double-quoted scalar; the range includes the quotes.

    A pair of surrogate escapes, which JSON writes and YAML does not know,
    is one code point; a lone surrogate is U+FFFD, as Go reads it.
    """
    return _decode(_DOUBLE, source, start + 1, end - 1)


def _decode(pattern: re.Pattern[str], source: str, start: int, end: int) -> Decoding:
    builder, position = DecodingBuilder(source), start
    for match in pattern.finditer(source, start, end):
        builder.copy(position, match.start())
        position = match.end()
        match match.lastgroup:
            case "blank":
                builder.copy(match.start(), position)
            case "fold":
                _fold(builder, source, match.start(), position)
            case "joined":
                _keep_breaks(builder, source, match.start(), position, skip=1)
            case _:
                builder.put(_unescape(match["escape"]), match.start(), position)
    builder.copy(position, end)
    return builder.decoding(start, end)


def _fold(builder: DecodingBuilder, source: str, start: int, end: int) -> None:
    """One break becomes a space; of several, the first is dropped and the others stay."""
    breaks = _BREAK.findall(source, start, end)
    if breaks[0] in _KEPT_BREAKS:
        _keep_breaks(builder, source, start, end, skip=0)
    elif len(breaks) == 1:
        builder.put(" ", start, end)
    else:
        _keep_breaks(builder, source, start, end, skip=1)


def _keep_breaks(builder: DecodingBuilder, source: str, start: int, end: int, *, skip: int) -> None:
    for match in list(_BREAK.finditer(source, start, end))[skip:]:
        builder.put(line_break(match[0]), match.start(), match.end())


def _unescape(escape: str) -> str:
    kind, digits = escape[0], escape[1:]
    if kind in "xuU" and digits:
        if "\\" in digits:
            high, low = int(digits[:4], 16), int(digits[6:], 16)
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        code = int(digits, 16)
        return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)
    return "'" if escape == "''" else _ESCAPES.get(kind, kind)
