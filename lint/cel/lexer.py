"""Cuts an expression into tokens with their places.

The tokens are those of the CEL grammar. It is meant for texts that the engine
has accepted: what is no token raises `Unparsable`, without recovery and
without an explanation.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Unparsable(ValueError):  # noqa: N818 - not an error of the program
    """The text is no expression as far as this reader is concerned."""


class Token(NamedTuple):
    """A token; `kind` is the group it was read by, or the text of a symbol or keyword."""

    kind: str
    text: str
    start: int
    end: int


_ESCAPE = (
    r"\\(?:[abfnrtv\"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
)


def _string(quote: str) -> str:
    """One quote allows no line break; three do, and end at the first three."""
    bare = quote[0]
    plain = "[^\\\\]" if len(quote) == 3 else rf"[^\\{bare}\n\r]"
    raw = r"[\s\S]" if len(quote) == 3 else rf"[^{bare}\n\r]"
    lazy = "?" if len(quote) == 3 else ""
    return rf"{quote}(?:{_ESCAPE}|{plain})*{lazy}{quote}|[rR]{quote}(?:{raw})*{lazy}{quote}"


_STRING = "|".join(_string(quote) for quote in ('"""', "'''", '"', "'"))
_PATTERN = re.compile(
    rf"""
    (?P<skip>(?:[\t\ \r\n\f]|//[^\n]*)+)
  | (?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
  | (?P<uint>(?:0x[0-9a-fA-F]+|[0-9]+)[uU])
  | (?P<int>0x[0-9a-fA-F]+|[0-9]+)
  | (?P<bytes>[bB](?:{_STRING}))
  | (?P<string>{_STRING})
  | (?P<quoted>`[A-Za-z0-9_.\-/\ ]+`)
  | (?P<ident>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<symbol>==|!=|<=|>=|&&|\|\||[<>\[\]{{}}().,\-!?:+*/%])
    """,
    re.VERBOSE,
)

_KEYWORDS = frozenset({"in", "true", "false", "null"})


def tokenize(text: str) -> list[Token]:
    """Every token, then one of kind `end`; raises `Unparsable` for what is none."""
    tokens = scan(text)
    for token in tokens:
        if token.kind == "unknown":
            raise Unparsable(f"no token at {token.start}")
    return tokens


def scan(text: str) -> list[Token]:
    """Every token, one of kind `unknown` for a character that begins none, then the end."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        match = _PATTERN.match(text, place)
        if match is None:
            tokens.append(Token("unknown", text[place], place, place + 1))
        elif match.lastgroup != "skip":
            tokens.append(_token(match))
        place = match.end() if match else place + 1
    tokens.append(Token("end", "", place, place))
    return tokens


def _token(match: re.Match[str]) -> Token:
    text = match.group()
    kind = match.lastgroup or ""
    if kind == "symbol" or (kind == "ident" and text in _KEYWORDS):
        kind = text
    return Token(kind, text, match.start(), match.end())
