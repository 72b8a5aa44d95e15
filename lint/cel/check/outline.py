"""What the controller's checks see of an expression: many a text is another one in other words.

    status.phase == 'Ready'    status.state == 'Valid'

Neither the name of a field nor what a value is compared with matters to a parser, to a type checker
that knows no fields, to the plan of a program, or to what an evaluation costs.
"""

from __future__ import annotations

import re
from functools import lru_cache

from celvet.lint.cel.cost.size import TELLING_FIELDS
from celvet.lint.cel.syntax.lexer import SKIP
from celvet.lint.cel.syntax.vocabulary import MESSAGES, functions
from celvet.regex import regex

_MOST = 2_000
"""Characters of a text that others may be like."""

_LISTS = frozenset({"conditions"})
"""Fields that rules take for lists."""

_PACKAGES = "|".join(sorted({name.partition(".")[0] for name in MESSAGES}))
_OTHER = regex(rf"""[^\t\n\f\r -~]|[\\`]|'{{3}}|"{{3}}|\b(?:{_PACKAGES})\b""")
"""What makes a text one that no other is like: an escape, a message with typed fields."""

_PART = regex(
    rf"""
    (?P<field>\.(?<=[\w)\]]\.)(?!(?:in|true|false|null)\b)[A-Za-z_]\w*+)(?!{SKIP}*+[({{])
  | (?P<compared>[=!]=){SKIP}*+(?P<string>"[^"\n\r]*"|'[^'\n\r]*')
        (?={SKIP}*+(?:&&|\|\||[?:,)\]}}]|\Z))
  | "[^"\n\r]*" | '[^'\n\r]*'
  | (?P<skip>{SKIP}++)
    """,
    re.VERBOSE | re.ASCII,
)
"""A field that is read, a comparison with a string, any other string, white space and comments."""


def outline(text: str, libraries: tuple[str, ...]) -> str:
    """The text without the names of fields and without the letters of what is compared.

    If the controller accepts one text of an outline, it accepts all.
    """
    if len(text) > _MOST or _OTHER.search(text):
        return f"\0{text}"
    telling = _telling(libraries)

    def outlined(part: re.Match[str]) -> str:
        field, compared, string, skip = part.groups()
        if field:
            return field if field[1:] in telling else ".\0"
        if compared:
            return f"{compared}\0{len(string)}"
        return " " if skip else part[0]

    return _PART.sub(outlined, text)


@lru_cache(maxsize=64)
def _telling(libraries: tuple[str, ...]) -> frozenset[str]:
    """The fields that matter: to rules, for sizes, or as a part of the name of a function."""
    spaces = (name.split(".")[:-1] for name in functions(libraries))
    return (TELLING_FIELDS | _LISTS).union(*spaces)
