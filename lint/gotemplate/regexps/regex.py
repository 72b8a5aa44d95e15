"""Regular expressions of Go's `regexp` (Go 1.26), matched without backtracking.

Every step is counted by a `Meter`, so that no expression runs longer than allowed.
"""

from __future__ import annotations

import re

from celvet.lint.gotemplate.limits import Meter
from celvet.lint.gotemplate.regexps.machine import Groups, Program
from celvet.lint.gotemplate.regexps.syntax import RegexParser
from celvet.lint.gotemplate.regexps.tree import RegexError
from celvet.regex import regex

__all__ = ["Regex", "RegexError", "quote_meta"]

_REFERENCE = regex(r"\$(?:(\$)|\{(\w+)\}|(\w+))")


class Regex:
    """A compiled expression.

    Raises:
        RegexError: it is not an expression.
    """

    def __init__(self, text: str, meter: Meter) -> None:
        self._meter = meter
        meter.spend(1 + len(text))
        parser = RegexParser(text)
        tree = parser.parse()
        self._names = parser.names
        self._program = Program(tree, len(parser.names))
        meter.spend(len(self._program.steps))
        self.text = text

    def search(self, text: str, start: int = 0) -> Groups | None:
        """The leftmost match from `start` on."""
        return self._program.search(text, start, self._meter)

    def find_all(self, text: str, limit: int = -1) -> list[Groups]:
        """All matches, as `FindAllString` takes them: none right behind another that is empty."""
        found: list[Groups] = []
        position, previous = 0, -1
        while position <= len(text) and len(found) != limit:
            match = self.search(text, position)
            if match is None:
                break
            empty = match[1] == match[0]
            if not empty or match[0] != previous:
                found.append(match)
            # An empty match must not be found again.
            position = match[1] + (match[1] == position)
            previous = match[1]
        return found

    def replace(self, text: str, replacement: str, *, literal: bool) -> str:
        """`text` with each match replaced; `$1` and `${name}` are groups, unless `literal`."""
        parts: list[str] = []
        position = end = 0
        while position <= len(text):
            match = self.search(text, position)
            if match is None:
                break
            parts.append(text[end : match[0]])
            if match[1] > end or match[0] == 0:
                parts.append(replacement if literal else self._expand(text, match, replacement))
                self._meter.text(len(parts[-1]))
            end = match[1]
            position = max(position + 1, match[1])
        parts.append(text[end:])
        return "".join(parts)

    def _expand(self, text: str, match: Groups, replacement: str) -> str:
        def value(reference: re.Match[str]) -> str:
            if reference[1]:
                return "$"
            name = reference[2] or reference[3]
            if name.isascii() and name.isdigit():
                index = int(name[:9])
            else:
                index = self._names.index(name) if name in self._names else -1
            if not 0 <= index < len(match) // 2 or match[2 * index] < 0:
                return ""
            return text[match[2 * index] : match[2 * index + 1]]

        return _REFERENCE.sub(value, replacement)

    def split(self, text: str, limit: int) -> list[str] | None:
        """As `Regexp.Split`; None is nil."""
        if limit == 0:
            return None
        if self.text and not text:
            return [""]
        parts: list[str] = []
        begin = end = 0
        for match in self.find_all(text, limit):
            if limit > 0 and len(parts) == limit - 1:
                break
            end = match[0]
            if match[1] != 0:
                parts.append(text[begin:end])
            begin = match[1]
        if end != len(text):
            parts.append(text[begin:])
        return parts


def quote_meta(text: str) -> str:
    """As `regexp.QuoteMeta`."""
    return re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", text)
