"""Parses regular expressions: RE2 with Perl's classes (regexp/syntax/parse.go, Go 1.26)."""

from __future__ import annotations

import re

from celvet.lint.go.regexp.classes import PERL, POSIX, any_of, ignoring_case, in_ranges, of_category
from celvet.lint.go.regexp.tree import (
    Alternation,
    Assertion,
    Capture,
    Char,
    CharTest,
    RegexError,
    Repeat,
    Sequence,
    Tree,
)
from celvet.lint.go.step_meter import LimitError
from celvet.record import record, replace
from celvet.regex import regex

_ESCAPED = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEX = regex(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})")
_OCTAL = regex(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
_COUNT = regex(r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}")
_NAMED = regex(r"\(\?P?<([^>]*)>")
_FLAGS = regex(r"\(\?([imsU]*)(?:-([imsU]+))?([:)])")
_OF_TEXT = {"^": "A", "$": "z"}
_DEEPEST = 100
_MOST_REPEATS = 1000
_MISSING_REPEAT = "missing argument to repetition operator"


@record
class _RegexFlags:
    """The flags that `(?imsU)` sets for the rest of a group."""

    i: bool = False
    m: bool = False
    s: bool = False
    U: bool = False


class _CharacterParser:
    """The character-level state of a parser: text, position and flags."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.flags = _RegexFlags()

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
        source = self.text[self.pos : match.end()]
        self.pos = match.end()
        name = match[1] if match[1] is not None else match[2]
        test = of_category(name, source, negated=letter == "P")
        return ignoring_case(test) if self.flags.i else test

    def escaped_char(self) -> str:
        """The character that a backslash and what follows it stand for."""
        remainder = self.text[self.pos + 1 :]
        if not remainder:
            raise RegexError("trailing backslash at end of expression", "")
        char = self._numeric_escape(remainder)
        if char is not None:
            return char
        if remainder[0] in _ESCAPED or (
            remainder[0].isascii() and not remainder[0].isalnum() and remainder[0] != "_"
        ):
            self.pos += 2
            return _ESCAPED.get(remainder[0], remainder[0])
        if remainder[0] == "_":
            self.pos += 2
            return "_"
        raise RegexError("invalid escape sequence", "\\" + _bad_escape(remainder))

    def _numeric_escape(self, rest: str) -> str | None:
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
        is_negated = self.looks_at("^")
        self.pos += is_negated
        tests: list[CharTest] = []
        while not self.looks_at("]") or not tests:
            if self.pos >= len(self.text):
                raise RegexError("missing closing ]", self.text[begin:])
            tests.append(self._class_item(begin))
        self.pos += 1
        test = any_of(tests, negated=False)
        test = ignoring_case(test) if self.flags.i else test
        return any_of([test], negated=is_negated)

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


class RegexParser(_CharacterParser):
    """Parses one expression of RE2; raises `RegexError` with the words of Go."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0
        self.names: list[str] = [""]

    def parse(self) -> Tree:
        """The tree.

        Raises:
            RegexError: it is not a regular expression.
        """
        tree = self._choice()
        if self.pos < len(self.text):
            raise RegexError("unexpected )", self.text)
        return tree

    def _choice(self) -> Tree:
        flags = self.flags
        options = [self._sequence()]
        while self.looks_at("|"):
            self.pos += 1
            options.append(self._sequence())
        self.flags = flags
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def _sequence(self) -> Tree:
        parts: list[Tree] = []
        while self.pos < len(self.text) and self.text[self.pos] not in "|)":
            begin = self.pos
            part = self._part()
            if part is not None:
                parts.append(self._repeat(part, begin))
            elif self._repetition() is not None:
                raise RegexError(_MISSING_REPEAT, self._repetition_text())
        return Sequence(tuple(parts))

    def _repetition(self) -> tuple[int, int | None, int] | None:
        """The bounds at this position, and where they end."""
        char = self.text[self.pos : self.pos + 1]
        if char and char in "*+?":
            return int(char == "+"), 1 if char == "?" else None, self.pos + 1
        match = _COUNT.match(self.text, self.pos)
        if match is None:
            return None
        least = int(match[1][:9])
        most = None if match[2] and not match[3] else int((match[3] or match[1])[:9])
        if max(least, most or 0) > _MOST_REPEATS or (most is not None and least > most):
            raise RegexError("invalid repeat count", match[0])
        return least, most, match.end()

    def _repetition_text(self) -> str:
        bounds = self._repetition()
        end = bounds[2] if bounds else self.pos
        return self.text[self.pos : end + self.text.startswith("?", end)]

    def _repeat(self, part: Tree, begin: int) -> Tree:
        previous = -1
        while (bounds := self._repetition()) is not None:
            start = self.pos
            least, most, self.pos = bounds
            greedy = not self.flags.U
            if self.looks_at("?"):
                self.pos += 1
                greedy = not greedy
            if previous >= 0:
                fragment = self.text[previous : self.pos]
                raise RegexError("invalid nested repetition operator", fragment)
            previous = start
            part = Repeat(part, least, most, greedy)
            if self.text[start] == "{" and not _repeats_at_most(part, _MOST_REPEATS):
                raise RegexError("invalid repeat count", self.text[start : self.pos])
        return part

    def _part(self) -> Tree | None:
        char = self.text[self.pos]
        if char == "(":
            return self._group()
        if char == "[":
            return Char(self.char_class())
        if char == "\\":
            return self._escape()
        if self._repetition() is not None:
            raise RegexError(_MISSING_REPEAT, self._repetition_text())
        self.pos += 1
        if char == ".":
            return Char((lambda _: True) if self.flags.s else lambda found: found != "\n")
        if char in "^$":
            return Assertion(char if self.flags.m else _OF_TEXT[char])
        return self._literal(char)

    def _literal(self, char: str) -> Tree:
        def test(found: str) -> bool:
            return found == char

        return Char(ignoring_case(test) if self.flags.i else test)

    def _group(self) -> Tree | None:
        remainder = self.text[self.pos :]
        index = 0
        flags = self.flags
        if remainder.startswith(("(?P<", "(?<")):
            index = self._named_group(remainder)
        elif remainder.startswith("(?"):
            match = _FLAGS.match(remainder)
            if match is None:
                raise RegexError("invalid or unsupported Perl syntax", _bad_group(remainder))
            self.pos += match.end()
            changes = dict.fromkeys(match[1], True) | dict.fromkeys(match[2] or "", False)
            self.flags = replace(self.flags, **changes)
            # `(?i)` has no body: its flags hold until the group around it ends.
            if match[3] == ")":
                return None
        else:
            self.pos += 1
            index = self._new_capture("")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise LimitError("a regular expression is nested too deeply")
        part = self._choice()
        self._depth -= 1
        if not self.looks_at(")"):
            raise RegexError("missing closing )", self.text)
        self.pos += 1
        self.flags = flags
        return Capture(part, index) if index else part

    def _named_group(self, rest: str) -> int:
        match = _NAMED.match(rest)
        if match is None:
            raise RegexError("invalid named capture", rest)
        name = match[1]
        if not re.fullmatch(r"[A-Za-z0-9_]+", name, re.ASCII):
            raise RegexError("invalid named capture", match[0])
        if name in self.names:
            raise RegexError("duplicate capture group name", name)
        self.pos += match.end()
        return self._new_capture(name)

    def _new_capture(self, name: str) -> int:
        self.names.append(name)
        return len(self.names) - 1

    def _escape(self) -> Tree | None:
        letter = self.text[self.pos + 1 : self.pos + 2]
        if letter in ("A", "z", "b", "B"):
            self.pos += 2
            return Assertion(letter)
        if letter == "Q":
            end = self.text.find("\\E", self.pos)
            literal = self.text[self.pos + 2 : end if end >= 0 else None]
            self.pos = len(self.text) if end < 0 else end + 2
            return Sequence(tuple(map(self._literal, literal)))
        test = self.class_escape()
        if test is not None:
            return Char(test)
        return self._literal(self.escaped_char())


def _repeats_at_most(tree: Tree, most: int) -> bool:
    """Whether counted repetitions within each other come to no more than `most`."""
    if isinstance(tree, Repeat):
        is_counted = tree.most not in (None, 1) or tree.least > 1
        times = (tree.least if tree.most is None else tree.most) if is_counted else 1
        return times <= most and (not times or _repeats_at_most(tree.part, most // times))
    if isinstance(tree, Capture):
        return _repeats_at_most(tree.part, most)
    parts = tree.parts if isinstance(tree, Sequence) else ()
    parts = tree.options if isinstance(tree, Alternation) else parts
    return all(_repeats_at_most(part, most) for part in parts)


def _bad_group(rest: str) -> str:
    """Go names a group up to the character that does not fit."""
    match = re.match(r"\(\?[imsU]*(?:-[imsU]*)?.?", rest, re.DOTALL)
    return match[0] if match else rest
