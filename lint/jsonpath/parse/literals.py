"""Quoted texts, read as client-go reads them."""

from __future__ import annotations

import re

from celvet.regex import regex

_ESCAPE = regex(
    r"""\\(?:(?P<plain>[abfnrtv\\'"])|x(?P<byte>[0-9a-fA-F]{2})|(?P<octal>[0-7]{3})"""
    r"""|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8}))"""
)
_PLAIN = dict(zip("abfnrtv\\", "\a\b\f\n\r\t\v\\", strict=True))


def unquote(text: str) -> str | None:
    r"""The text between its quotes with escapes resolved; None for a wrong escape.

    Mirrors `UnquoteExtend` of client-go. Bytes that are no UTF-8 (`\xff`) come
    out as the lone surrogates of Python's `surrogateescape`.
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
