"""Reads single characters of a regular expression: classes in brackets, and escapes."""

from __future__ import annotations

import re

from celvet.lint.gotemplate.regexps.classes import (
    PERL,
    POSIX,
    any_of,
    folded,
    in_ranges,
    of_category,
)
from celvet.lint.gotemplate.regexps.tree import CharTest, RegexError
from celvet.record import record
from celvet.regex import regex

_ESCAPED = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEX = regex(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})")
_OCTAL = regex(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")


@record
class RegexFlags:
    """`(?imsU)`."""

    i: bool = False
    m: bool = False
    s: bool = False
    U: bool = False


class CharacterParser:
    """The character-level state of a parser: text, position and flags."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.flags = RegexFlags()

    def looks_at(self, text: str) -> bool:
        """Whether a text is at the position."""
        return self.text.startswith(text, self.pos)

    def class_escape(self) -> CharTest | None:
        """`d`, `pL` and the like behind a backslash."""
        letter = self.text[self.pos + 1 : self.pos + 2]
        if letter and letter.lower() in PERL:
            self.pos += 2
            return in_ranges(PERL[letter.lower()], negated=letter.isupper())
        if letter not in ("p", "P"):
            return None
        match = re.compile(r"\{([^}]*)\}|(.)", re.DOTALL).match(self.text, self.pos + 2)
        if match is None or match[0] == "{":
            raise RegexError("invalid character class range", self.text[self.pos :])
        whole = self.text[self.pos : match.end()]
        self.pos = match.end()
        name = match[1] if match[1] is not None else match[2]
        test = of_category(name, whole, negated=letter == "P")
        return folded(test) if self.flags.i else test

    def escaped_char(self) -> str:
        """The character that a backslash and what follows it stand for."""
        rest = self.text[self.pos + 1 :]
        if not rest:
            raise RegexError("trailing backslash at end of expression", "")
        char = self._numbered(rest)
        if char is not None:
            return char
        if rest[0] in _ESCAPED or (rest[0].isascii() and not rest[0].isalnum() and rest[0] != "_"):
            self.pos += 2
            return _ESCAPED.get(rest[0], rest[0])
        if rest[0] == "_":
            self.pos += 2
            return "_"
        raise RegexError("invalid escape sequence", "\\" + _bad_escape(rest))

    def _numbered(self, rest: str) -> str | None:
        if match := _HEX.match(rest):
            code = int(match[1] or match[2], 16)
        elif match := _OCTAL.match(rest):
            code = int(match[0], 8)
        else:
            return None
        if code > 0x10FFFF:
            raise RegexError("invalid escape sequence", f"\\{match[0]}")
        self.pos += 1 + match.end()
        return chr(code)

    def char_class(self) -> CharTest:
        """A class in brackets."""
        begin = self.pos
        self.pos += 1
        negated = self.looks_at("^")
        self.pos += negated
        tests: list[CharTest] = []
        while not self.looks_at("]") or not tests:
            if self.pos >= len(self.text):
                raise RegexError("missing closing ]", self.text[begin:])
            tests.append(self._class_item(begin))
        self.pos += 1
        test = any_of(tests, negated=False)
        test = folded(test) if self.flags.i else test
        return any_of([test], negated=negated)

    def _class_item(self, begin: int) -> CharTest:
        if self.looks_at("[:"):
            end = self.text.find(":]", self.pos + 2)
            if end >= 0:
                return self._posix(end)
        if self.looks_at("\\") and (test := self.class_escape()) is not None:
            return test
        start = self.pos
        low = high = self._class_char(begin)
        if self.looks_at("-") and self.text[self.pos + 1 : self.pos + 2] not in ("]", ""):
            self.pos += 1
            high = self._class_char(begin)
            if high < low:
                fragment = self.text[start : self.pos]
                raise RegexError("invalid character class range", fragment)
        return in_ranges([(low, high)])

    def _posix(self, end: int) -> CharTest:
        name = self.text[self.pos + 2 : end]
        if name.removeprefix("^") not in POSIX:
            fragment = self.text[self.pos : end + 2]
            raise RegexError("invalid character class range", fragment)
        self.pos = end + 2
        return in_ranges(POSIX[name.removeprefix("^")], negated=name.startswith("^"))

    def _class_char(self, begin: int) -> str:
        if self.pos >= len(self.text):
            raise RegexError("missing closing ]", self.text[begin:])
        if self.looks_at("\\"):
            return self.escaped_char()
        self.pos += 1
        return self.text[self.pos - 1]


def _bad_escape(rest: str) -> str:
    """Go names an escape up to the character that does not fit."""
    if rest.startswith("x{"):
        match = re.match(r"x\{[0-9A-Fa-f]*.?", rest, re.DOTALL)
        return match[0] if match else rest
    return rest[:3] if rest[0] == "x" else rest[0]
