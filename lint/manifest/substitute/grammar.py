"""Parses `${VAR}` texts; nodes have the names that `drone/envsubst` gives them."""

from __future__ import annotations

import re
from typing import TypeAlias

from celvet.record import record
from celvet.regex import regex

_MAX_NESTING = 40
"""`${a:=${b:=...}}` beyond this depth is refused; Flux would have a stack overflow."""

_NAME = regex(r"\w+")
_REPLACE = regex(r"/[/#%]?")
_CASING = regex(r"[,^]{1,2}")
_DOLLAR = ("$$",)
_ALL_ESCAPES = ("$$", "\\/", "\\\\")
"""Pairs that stand for their second character; valid in the arguments of `/`."""
_DEFAULT_AFTER_COLON = ("=", "-", "?", "+")


class BadSubstitutionError(ValueError):
    """A text that Flux refuses to expand; the message is for people."""


@record
class PlainText:
    """A range of literal text."""

    start: int
    end: int


@record
class FuncNode:
    """`${name op arguments}`; each argument is a sequence of parts."""

    start: int
    end: int
    name: str
    operator: str = ""
    arguments: tuple[tuple[SubstitutionNode, ...], ...] = ()


SubstitutionNode: TypeAlias = PlainText | FuncNode


def parse(text: str) -> list[SubstitutionNode]:
    """The parts of a text.

    Raises:
        BadSubstitutionError: where envsubst would fail.

    """
    return _ReferenceParser(text).parts()


class _ReferenceParser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def parts(self) -> list[SubstitutionNode]:
        """Parts up to the end of the text; `$$` is a dollar here."""
        parts: list[SubstitutionNode] = []
        while self._at < len(self._text):
            parts += [self._call()] if self._peek("${") else self._run("", _DOLLAR)
        return parts

    def _peek(self, prefix: str) -> bool:
        return self._text.startswith(prefix, self._at)

    def _run(self, stops: str, escapes: tuple[str, ...]) -> list[SubstitutionNode]:
        """Literal text up to one of `stops`, the next call or the end of the text."""
        texts: list[SubstitutionNode] = []
        start = self._at
        while self._at < len(self._text) and not self._peek("${"):
            if self._text[self._at : self._at + 2] in escapes:
                texts.append(PlainText(start, self._at))
                start = self._at + 1
                self._at += 2
            elif self._text[self._at] in stops:
                break
            else:
                self._at += 1
        texts.append(PlainText(start, self._at))
        return texts

    def _call(self) -> FuncNode:
        start = self._at
        self._at += 2
        self._depth += 1
        if self._depth > _MAX_NESTING:
            raise BadSubstitutionError("substitutions are nested too deep")
        length = self._peek("#")
        self._at += length
        name = self._match(_NAME, "no variable name after `${`")
        operator, arguments = ("#", ()) if length else self._operation()
        self._close()
        self._depth -= 1
        return FuncNode(start, self._at, name, operator, arguments)

    def _match(self, pattern: re.Pattern[str], refusal: str) -> str:
        match = pattern.match(self._text, self._at)
        if not match:
            raise BadSubstitutionError(refusal)
        self._at = match.end()
        return match[0]

    def _close(self) -> None:
        if not self._peek("}"):
            raise BadSubstitutionError("`${` without its closing `}`")
        self._at += 1

    def _operation(self) -> tuple[str, tuple[tuple[SubstitutionNode, ...], ...]]:
        char = self._text[self._at : self._at + 1]
        # `${VAR:0:3}` cuts the value, while `${VAR:-x}` and its like are defaults.
        if char == ":" and not self._text.startswith(_DEFAULT_AFTER_COLON, self._at + 1):
            return self._substring()
        match char:
            case ":" | "=":
                return self._default(char)
            case "," | "^":
                return self._match(_CASING, ""), ()
            case "/":
                return self._replacement()
            case "#" | "%":
                operator = char * 2 if self._peek(char * 2) else char
                self._at += len(operator)
                return operator, (self._argument("}"),)
            case _:
                return "", ()

    def _default(self, char: str) -> tuple[str, tuple[tuple[SubstitutionNode, ...], ...]]:
        operator = char if char == "=" else self._text[self._at : self._at + 2]
        self._at += len(operator)
        parts: list[SubstitutionNode] = []
        while not self._peek("}"):
            parts += self._argument("}")
        return operator, (tuple(parts),)

    def _substring(self) -> tuple[str, tuple[tuple[SubstitutionNode, ...], ...]]:
        self._at += 1
        position = self._argument(":}")
        if self._peek("}"):
            return ":", (position,)
        self._skip(":")
        return ":", (position, self._argument("}"))

    def _replacement(self) -> tuple[str, tuple[tuple[SubstitutionNode, ...], ...]]:
        operator = self._match(_REPLACE, "")
        pattern = self._argument("/", escapes=_ALL_ESCAPES)
        self._skip("/")
        if self._peek("}"):
            return operator, (pattern,)
        return operator, (pattern, self._argument("}", escapes=_ALL_ESCAPES))

    def _skip(self, delimiter: str) -> None:
        start = self._at
        while self._peek(delimiter):
            self._at += 1
        if self._at == start:
            raise BadSubstitutionError(f"`{delimiter}` is missing in a substitution")

    def _argument(self, stops: str, escapes: tuple[str, ...] = ()) -> tuple[SubstitutionNode, ...]:
        """One call, or literal text that is not empty."""
        if self._peek("${"):
            return (self._call(),)
        start = self._at
        run = tuple(self._run(stops, escapes))
        if self._at == start:
            raise BadSubstitutionError("a substitution lacks an argument")
        return run
