"""Cuts an expression into tokens with their places.

The tokens are those of the CEL grammar. `tokenize` is for texts that the engine
has accepted, and raises `Unparsable` for anything else; `scan` never fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from celvet.regex import regex


class Unparsable(ValueError):  # noqa: N818 - not an error of the program
    """The text is not an expression that our parser reads."""


class Token(NamedTuple):
    """A token; `kind` is its group in the pattern, or the text of a symbol or keyword."""

    kind: str
    text: str
    start: int
    end: int


_ESCAPE = (
    r"\\(?:[abfnrtv\"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
)


def _string(quote: str) -> str:
    """A string in single quotes has no line break; one in three quotes ends at the first three."""
    mark = quote[0]
    plain = "[^\\\\]" if len(quote) == 3 else rf"[^\\{mark}\n\r]"
    raw = r"[\s\S]" if len(quote) == 3 else rf"[^{mark}\n\r]"
    lazy = "?" if len(quote) == 3 else ""
    return rf"{quote}(?:{_ESCAPE}|{plain})*{lazy}{quote}|[rR]{quote}(?:{raw})*{lazy}{quote}"


_STRING = "|".join(_string(quote) for quote in ('"""', "'''", '"', "'"))
SKIP = r"(?:[\t\ \r\n\f]|//[^\n]*)"
"""White space and comments, as a regular expression."""

_PATTERN = regex(
    rf"""
    {SKIP}*+(?:
    (?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
  | (?P<uint>(?:0x[0-9a-fA-F]+|[0-9]+)[uU])
  | (?P<int>0x[0-9a-fA-F]+|[0-9]+)
  | (?P<bytes>[bB](?:{_STRING}))
  | (?P<string>{_STRING})
  | (?P<quoted>`[A-Za-z0-9_.\-/\ ]+`)
  | (?P<ident>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<symbol>==|!=|<=|>=|&&|\|\||[<>\[\]{{}}().,\-!?:+*/%])
    )
  | (?P<skip>{SKIP}++)
    """,
    re.VERBOSE,
)

_KEYWORDS = frozenset({"in", "true", "false", "null"})


def tokenize(text: str) -> Sequence[Token]:
    """Every token, then one of kind `end`; raises `Unparsable` for a text that is not a token."""
    tokens = scan(text)
    for token in tokens:
        if token.kind == "unknown":
            raise Unparsable(f"no token at {token.start}")
    return tokens


@lru_cache(maxsize=1)  # several callers need the tokens of one text
def scan(text: str) -> Sequence[Token]:
    """Every token, one of kind `unknown` for a character that begins none, then the end."""
    tokens: list[Token] = []
    place, new = 0, tuple.__new__
    for match in _PATTERN.finditer(text):
        if match.start() != place:
            tokens += _unknown_tokens(text, place, match.start())
        place = match.end()
        kind = match.lastgroup or ""
        if kind != "skip":
            token_text = match[kind]
            is_keyword = kind == "symbol" or token_text in _KEYWORDS
            # `Token(...)` takes twice as long
            tokens.append(
                new(
                    Token,
                    (
                        token_text if is_keyword else kind,
                        token_text,
                        place - len(token_text),
                        place,
                    ),
                )
            )
    tokens += _unknown_tokens(text, place, len(text))
    tokens.append(Token("end", "", len(text), len(text)))
    return tuple(tokens)


def _unknown_tokens(text: str, start: int, end: int) -> Iterator[Token]:
    return (Token("unknown", text[place], place, place + 1) for place in range(start, end))
