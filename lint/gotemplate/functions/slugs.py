"""`slugify`: gosimple/slug v1.15.0 as the operator sets it (63 characters, cut at a dash)."""

from __future__ import annotations

import re
import unicodedata

from celvet.lint.gotemplate.errors import UnsupportedError
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.functions.text import SPACE, lower
from celvet.regex import regex

_LONGEST = 63
_SUBSTITUTES = str.maketrans(
    {"&": "and", "@": "at", '"': "", "'": "", "\u2019": ""}
    | dict.fromkeys("\u2012\u2013\u2014\u2015", "-")
)
_LETTERS = {
    "\xdf": "ss", "\xe6": "ae", "\xc6": "AE", "\xf8": "o", "\xd8": "O", "\xfe": "th",
    "\xde": "Th", "\xf0": "d", "\xd0": "D", "\u0153": "oe", "\u0152": "OE", "\u0142": "l",
    "\u0141": "L", "\u0111": "d", "\u0110": "D", "\u0131": "i", "\u20ac": "EUR", "\xa3": "PS",
    "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2026": "...", "\u2022": "*", "\xa7": "SS",
    "\xb0": "deg", "\xab": "<<", "\xbb": ">>", "\xd7": "x", "\xf7": "/", "\u2212": "-",
}  # fmt: skip
_UNAUTHORIZED = regex("[^a-zA-Z0-9-_]")


def _ascii(char: str) -> str:
    """The nearest ASCII text; the library has a table of 65,536 characters."""
    if char < "\x80":
        return char
    if ord(char) >= 0x10000:
        return ""
    if char in _LETTERS:
        return _LETTERS[char]
    if "\xc0" <= char <= "\u017f":
        base = unicodedata.normalize("NFD", char)[0]
        if base < "\x80":
            return base
    if char in SPACE:
        return " "
    raise UnsupportedError(f"the spelling of U+{ord(char):04X} in ASCII")


def slugify(text: str) -> str:
    """A label made of `text`."""
    slug = text.strip(SPACE).translate(_SUBSTITUTES)
    slug = lower("".join(map(_ascii, slug)))
    slug = re.sub("-+", "-", _UNAUTHORIZED.sub("-", slug)).strip("-_")
    if len(slug) <= _LONGEST:
        return slug
    dash = slug.rfind("-", 0, _LONGEST + 1)
    return slug[:dash] if dash >= 0 else slug[:_LONGEST]


SLUGS: dict[str, Function] = {"slugify": function("string -> string", slugify, pace=SLOW)}
