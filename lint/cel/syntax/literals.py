"""The values of literal tokens: numbers, and strings with their escapes."""

from __future__ import annotations

import re
from typing import TypeAlias

from celvet.lint.cel.syntax.lexer import Token, Unparsable
from celvet.regex import regex

LiteralValue: TypeAlias = bool | int | float | str | bytes | None
"""The value of a literal; `Literal.kind` distinguishes an int from a uint."""

_MAX_DIGITS = 20
"""The most decimal digits of an integer of 64 bits."""

_CONSTANTS: dict[str, LiteralValue] = {"true": True, "false": False, "null": None}
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = regex(r"\\(?:([0-3][0-7]{2})|[xX](..)|u(.{4})|U(.{8})|(.))", re.DOTALL)


def value_of(token: Token, *, negative: bool = False) -> tuple[str, LiteralValue]:
    """Kind (`int`, `uint`, `double`, `string`, `bytes`, `bool`, `null`) and value.

    Raises `Unparsable` for an escape that names no code point, and for an integer too long.
    """
    text, sign = token.text, -1 if negative else 1
    match token.kind:
        case "int":
            return "int", sign * _integer(text)
        case "uint":
            return "uint", _integer(text[:-1])
        case "float":
            return "double", sign * float(text)
        case "string":
            return "string", _string(text)
        case "bytes":
            return "bytes", _bytes(text[1:])
    return "null" if text == "null" else "bool", _CONSTANTS[text]


def _integer(text: str) -> int:
    hexadecimal = text.startswith("0x")
    digits = text[2 if hexadecimal else 0 :].lstrip("0")
    if len(digits) > _MAX_DIGITS:
        raise Unparsable("more than 64 bits")
    return int(digits or "0", 16 if hexadecimal else 10)


def _string(text: str) -> str:
    raw, body = _string_body(text)
    return body if raw else _ESCAPE.sub(_character, body)


def _character(match: re.Match[str]) -> str:
    octal, hexadecimal, short, long, simple = match.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    code = int(octal, 8) if octal else int(hexadecimal or short or long, 16)
    if code > 0x10FFFF:
        raise Unparsable(f"no code point {code:x}")
    return chr(code)


def _bytes(text: str) -> bytes:
    """Plain characters become UTF-8; an escape is one byte, so none names a code point."""
    raw, body = _string_body(text)
    if raw:
        return body.encode()
    pieces, place = [], 0
    for match in _ESCAPE.finditer(body):
        if match[3] or match[4]:
            raise Unparsable("an escape of a code point in bytes")
        pieces += [body[place : match.start()].encode(), bytes([ord(_character(match))])]
        place = match.end()
    return b"".join([*pieces, body[place:].encode()])


def _string_body(text: str) -> tuple[bool, str]:
    """Whether the string is raw, and the text between its quotes."""
    raw = text[0] in "rR"
    body = text[1:] if raw else text
    width = 3 if len(body) >= 6 and body[:3] in ('"""', "'''") else 1
    return raw, body[width:-width]
