"""The outline of an expression: the part that the controller's checks depend on.

    status.phase == 'Ready'    status.state == 'Valid'

Field names and the constants of comparisons do not matter to a parser, to a type checker without
known fields, to the plan of a program, or to the bound of its cost. So if the controller accepts
one text of an outline, it accepts all of them. The objects of a generator differ in little else.
"""

from __future__ import annotations

import re
from functools import lru_cache

from celvet.lint.cel.cost.size import SIZED_FIELDS
from celvet.lint.cel.syntax.lexer import SKIP
from celvet.lint.cel.syntax.vocabulary import MESSAGES, functions
from celvet.regex import regex

_LONGEST = 2_000
"""Characters of the longest text that has an outline."""

_LISTS = frozenset({"conditions"})
"""Fields that rules assume to be lists."""

_PACKAGES = "|".join(sorted({name.partition(".")[0] for name in MESSAGES}))
_UNUSUAL = regex(rf"""[^\t\n\f\r -~]|[\\`]|'{{3}}|"{{3}}|\b(?:{_PACKAGES})\b""")
"""A text that contains one of these has no outline: an escape, or a message with typed fields."""

_PART = regex(
    rf"""
    (?P<field>\.(?<=[\w)\]]\.)(?!(?:in|true|false|null)\b)[A-Za-z_]\w*+)(?!{SKIP}*+[({{])
  | (?P<operator>[=!]=){SKIP}*+(?P<string>"[^"\n\r]*"|'[^'\n\r]*')
        (?={SKIP}*+(?:&&|\|\||[?:,)\]}}]|\Z))
  | "[^"\n\r]*" | '[^'\n\r]*'
  | (?P<skip>{SKIP}++)
    """,
    re.VERBOSE | re.ASCII,
)
"""A field that is read, a comparison with a string, any other string, white space and comments."""


def outline(text: str, libraries: tuple[str, ...]) -> str:
    """The text without field names and the characters of compared constants.

    If the controller accepts one text of an outline, it accepts all.
    """
    if len(text) > _LONGEST or _UNUSUAL.search(text):
        return f"\0{text}"
    significant_fields = _significant_fields(libraries)

    def replacement(part: re.Match[str]) -> str:
        field, operator, string, skip = part.groups()
        if field:
            return field if field[1:] in significant_fields else ".\0"
        if operator:
            return f"{operator}\0{len(string)}"
        return " " if skip else part[0]

    return _PART.sub(replacement, text)


@lru_cache(maxsize=64)
def _significant_fields(libraries: tuple[str, ...]) -> frozenset[str]:
    """The field names that matter to rules, to sizes, or as a part of a function's name."""
    return (_LISTS | SIZED_FIELDS).union(*(name.split(".")[:-1] for name in functions(libraries)))
