"""What the controller's checks see of an expression: many a text is another one in other words.

    status.phase == 'Ready'    status.state == 'Valid'

Neither the name of a field nor what a value is compared with matters to a parser, to a type checker
that knows no fields, to the plan of a program, or to what an evaluation costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from celvet.lint.cel.cost.size import TELLING_FIELDS
from celvet.lint.cel.syntax.lexer import Token, scan
from celvet.lint.cel.syntax.vocabulary import MESSAGES, functions

Outline: TypeAlias = tuple[str | int | None, ...]

_MOST = 2_000
"""Characters of a text that others may be like."""

_READ = frozenset({"ident", ")", "]"})
"""Tokens behind which a dot reads a field."""

_NO_FIELD = frozenset({"(", "{"})
"""Tokens that make the name before them that of a function or a message."""

_COMPARING = frozenset({"==", "!="})
_ENDS = frozenset({"&&", "||", "?", ":", ",", ")", "]", "}", "end"})
"""Tokens before which a comparison ends."""

_PACKAGES = frozenset(name.partition(".")[0] for name in MESSAGES)


def outline(text: str, libraries: tuple[str, ...]) -> Outline:
    """The tokens without the names of fields and without the letters of what is compared.

    If the controller accepts one text of an outline, it accepts all.
    """
    tokens = scan(text) if len(text) <= _MOST else ()
    if not tokens or any(token.text in _PACKAGES for token in tokens):
        return (text,)  # the fields of a message have types
    return tuple(_parts(tokens, _telling(libraries)))


def _parts(tokens: Sequence[Token], telling: frozenset[str]) -> Iterator[str | int | None]:
    before = last = ""
    for index, (kind, text, *_) in enumerate(tokens):
        following = tokens[index + 1].kind if kind != "end" else ""
        if kind == "ident" and last == "." and before in _READ and following not in _NO_FIELD:
            yield text if text in telling else None
        elif kind == "string" and last in _COMPARING and following in _ENDS and _is_plain(text):
            yield len(text)
        else:
            yield text
        before, last = last, kind


def _is_plain(text: str) -> bool:
    """Whether a string is the text between two quotes."""
    return text[0] in "'\"" and text[1:3] != text[0] * 2 and "\\" not in text and text.isascii()


@lru_cache(maxsize=64)
def _telling(libraries: tuple[str, ...]) -> frozenset[str]:
    """The fields that matter: for the size of values, or as a part of the name of a function."""
    spaces = (name.split(".")[:-1] for name in functions(libraries))
    return TELLING_FIELDS.union(*spaces)
