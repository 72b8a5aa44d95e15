r"""Quoted literals: Go's `strconv.Quote`, `strconv.Unquote` and `%#U` (strconv/quote.go, Go 1.26).

A Go string is a sequence of bytes that need not be UTF-8. In this package it is a `str` in which a
byte that is not UTF-8 is a lone surrogate, as `surrogateescape` makes it.
"""

from __future__ import annotations

import json
import re
import unicodedata

from celvet.regex import regex

_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
}
_SIMPLE = {value[1]: key for key, value in _ESCAPES.items()}
_HEX = {"x": 2, "u": 4, "U": 8}
_ESCAPE = regex(r"\\(?:[abfnrtv\\'\"]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3})")
_ESCAPED_IN_JSON = regex("[<>&\u2028\u2029\ud800-\udfff]")
_LITERAL_PIECE = regex(_ESCAPE.pattern + r"|[^\\]+|\\")


def to_bytes(text: str) -> bytes:
    """The bytes of a Go string."""
    return text.encode("utf-8", "surrogateescape")


def from_bytes(data: bytes) -> str:
    """The Go string of these bytes."""
    return data.decode("utf-8", "surrogateescape")


def is_letter(char: str) -> bool:
    """As `unicode.IsLetter`."""
    return unicodedata.category(char)[0] == "L"


def is_digit(char: str) -> bool:
    """As `unicode.IsDigit`."""
    return unicodedata.category(char) == "Nd"


def is_print(char: str) -> bool:
    """As `unicode.IsPrint`: letters, marks, numbers, punctuation, symbols, and the ASCII space."""
    return char == " " or unicodedata.category(char)[0] in "LMNPS"


def is_surrogate_byte(char: str) -> bool:
    """Whether `char` stands for a byte that is not UTF-8."""
    return "\udc80" <= char <= "\udcff"


def quote(text: str, mark: str = '"', *, ascii_only: bool = False) -> str:
    """As `strconv.Quote`; with `mark` ``'`` as `QuoteRune`, with `ascii_only` as `QuoteToASCII`."""
    return mark + "".join(_quote_char(char, mark, ascii_only) for char in text) + mark


def _quote_char(char: str, mark: str, ascii_only: bool) -> str:
    code = ord(char)
    if char == mark:
        return "\\" + char
    if char in _ESCAPES:
        return _ESCAPES[char]
    if is_surrogate_byte(char):
        return f"\\x{code - 0xDC00:02x}"
    if is_print(char) and (code < 0x80 or not ascii_only):
        return char
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def unquote(literal: str) -> str | None:
    """The value of a Go string literal; None for any other text."""
    mark, body = literal[0], literal[1:-1]
    if mark == "`":
        return body.replace("\r", "")
    parts = []
    for piece in _LITERAL_PIECE.findall(body):
        value = _unescape(piece, mark) if piece[0] == "\\" else piece
        if value is None:
            return None
        parts.append(value)
    text = "".join(parts)
    return from_bytes(to_bytes(text)) if any(map(is_surrogate_byte, text)) else text


def unquote_char(literal: str) -> str | None:
    """The character of a Go character literal, or None if it is malformed."""
    body = literal[1:-1]
    if body.startswith("\\"):
        match = _ESCAPE.fullmatch(body)
        return _rune(body) if match and body[1] != '"' else None
    return body if len(body) == 1 else None


def _rune(escape: str) -> str | None:
    if escape[1] in "x01234567":
        code = int(escape[2:], 16) if escape[1] == "x" else int(escape[1:], 8)
        return chr(code) if code < 256 else None
    return _unescape(escape, "'")


def _unescape(piece: str, mark: str) -> str | None:
    letter = piece[1:2]
    if letter in ("'", '"'):
        return letter if letter == mark else None
    if letter in _SIMPLE:
        return _SIMPLE[letter]
    if letter in ("u", "U"):
        code = int(piece[2:], 16)
        valid = code < 0x110000 and not 0xD800 <= code < 0xE000
        return chr(code) if valid else None
    if not letter:
        return None
    code = int(piece[2:], 16) if letter == "x" else int(piece[1:], 8)
    if code > 255:
        return None
    return chr(code) if code < 0x80 else chr(0xDC00 + code)


def unicode_name(char: str) -> str:
    """A code point as `%#U` prints it: ``U+0040 '@'``."""
    if is_surrogate_byte(char):
        char = "\ufffd"
    quotation = f" '{char}'" if is_print(char) else ""
    return f"U+{ord(char):04X}{quotation}"


def json_string(text: str, *, html: bool = True) -> str:
    """As encoding/json writes a string; without `html`, it leaves `<`, `>` and `&` as they are."""

    def escape(match: re.Match[str]) -> str:
        char = match[0]
        if char in "<>&" and not html:
            return char
        return "\\ufffd" if char >= "\ud800" else f"\\u{ord(char):04x}"

    return _ESCAPED_IN_JSON.sub(escape, json.dumps(text, ensure_ascii=False))
