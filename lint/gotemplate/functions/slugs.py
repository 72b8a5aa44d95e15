"""`slugify` of Flux Operator: gosimple/slug v1.15.0, in English and up to 63 characters."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from celvet.lint.go.quoting import is_surrogate_byte
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.functions.text import SPACE
from celvet.regex import regex

SPELLINGS = Path(__file__).with_name("spellings.txt")
"""The ASCII spelling of each character, which `tests.gotemplate.spellings` writes."""

_LONGEST = 63
_SUBSTITUTES = str.maketrans(
    {"&": "and", "@": "at", '"': "", "'": "", "\u2019": ""}
    | dict.fromkeys("\u2012\u2013\u2014\u2015", "-")
)
_UNAUTHORIZED = regex("[^a-z0-9_]+")


def authorized(text: str) -> str:
    """An ASCII text in lower case, with a dash for each part that a slug may not have."""
    return _UNAUTHORIZED.sub("-", text.lower())


@cache
def _spellings() -> dict[int, str]:
    """The line of each block of 256 characters; read for the first character beyond ASCII."""
    lines = SPELLINGS.read_text(encoding="ascii").splitlines()
    return {int(line[:2], 16): line[3:] for line in lines if not line.startswith("#")}


@cache
def _block(number: int) -> list[str]:
    return _spellings().get(number, "").split(" ")


def _spell(char: str) -> str:
    """The spelling of a character; the library has none beyond U+FFFF."""
    if char.isascii():
        return char
    code = 0xFFFD if is_surrogate_byte(char) else ord(char)
    words = _block(code >> 8) if code < 0x10000 else []
    at = code & 0xFF
    return words[at] if at < len(words) else ""


def _slugify(text: str) -> str:
    """A label made of `text`."""
    spelled_text = "".join(map(_spell, text.strip(SPACE).translate(_SUBSTITUTES)))
    slug = authorized(spelled_text).strip("-_")
    if len(slug) <= _LONGEST:
        return slug
    dash = slug.rfind("-", 0, _LONGEST + 1)
    return slug[:dash] if dash >= 0 else slug[:_LONGEST]


SLUGS: dict[str, Function] = {"slugify": function("string -> string", _slugify, pace=SLOW)}
