"""Hints for a path that client-go refuses."""

from __future__ import annotations

import re
from typing import TypeAlias

from celvet.lint.jsonpath.errors import JSONPathError, PathErrorCause
from celvet.schemas.dialect import Wrap

_Table: TypeAlias = tuple[tuple[str, str], ...]

_BRACES: _Table = (
    (r"\{\{|(?<=\{)\{", "write one pair of braces: nothing renders `{{ }}` here"),
    (r"(?<=\$)\{", "write the key itself, or substitute `${...}` before the manifest is applied"),
)
_BRACED = "begin the path with `{.`, or without a brace: the controller puts `{.` before it"
_HABITS: _Table = (
    ("[\u2018-\u201f\u00ab\u00bb]", "write straight quotes"),
    (r"""[=<>(\[]\s*\\["']""", "take away the backslash before the quote, which was for a shell"),
    ("=~", "compare with `==`, since client-go has no regular expressions"),
    (r"\[\?\s*[^(\s]", 'put the condition in parentheses: `[?(@.type=="Ready")]`'),
)
_AT_PLACE: dict[PathErrorCause, _Table] = {
    "unexpected-character": (
        (r"&&|\|\|", "compare one thing in a filter, since client-go has neither `&&` nor `||`"),
        (r"\|", "end the path before `|`, since client-go has no pipes"),
        ("!", "test for existence or compare with `!=`, since client-go has no `!` in front"),
        (",", "write each path in braces of its own: `{.a}{.b}`"),
        (r"\*", "write `.*` for all values, or `[*]` for all elements"),
        (r"\\", r'put the escape in quotes: `{"\n"}`'),
        ("\t", "write a space instead of the tab"),
    ),
    "invalid-index": (
        ('"', "write the key in single quotes: `['key']`"),
        (r"'[^',\]]*,|(?<=,)[^',\]]*'", r"escape the comma and write the key as a step: `.a\,b`"),
        (r"\s*[^\W\d]", "put the key in single quotes: `['key']`"),
    ),
}
_BY_CAUSE: dict[PathErrorCause, str] = {
    "empty-path": "write a path such as `.status.phase`",
    "invalid-index": "write an index, a slice such as `[1:3]`, `[*]`, or a key in single quotes",
    "invalid-number": "put quotes around it if it is text",
    "invalid-quote": r"write escapes as Go does: `\n`, `\u00e9`, and `\"` for the quote itself",
    "nested-braces": "write one path, without braces or with one pair around all of it",
    "repeated-descent": "write `..` once",
    "too-large": "write a shorter path",
    "unclosed-action": "close the brace with `}` on the same line",
    "unclosed-filter": "close the filter with `)]` right after the condition",
    "unexpected-character": "take the character out, or put text in quotes",
    "unterminated-array": "close the bracket with `]` on the same line",
    "unterminated-filter": "close the filter's quotes, and then the filter with `)]`",
    "unterminated-quote": "close the quote on the same line",
}


def advice(text: str, error: JSONPathError, style: Wrap) -> str:
    """One imperative sentence; the text and the error's span are the user's."""
    start = error.span.start
    if error.cause == "nested-braces":
        start = max(text.find("{{"), text.find("${") + 1)
    braced = style == "ends" and text.startswith("{") and start == 0
    return (
        _at(_BRACES, text, start)
        or (_BRACED if braced else "")
        or next((hint for pattern, hint in _HABITS if re.search(pattern, text)), "")
        or _at(_AT_PLACE.get(error.cause, ()), text, start)
        or _BY_CAUSE[error.cause]
    )


def _at(table: _Table, text: str, start: int) -> str:
    """The first hint whose pattern matches from `start` on; it may look behind that."""
    hints = (hint for pattern, hint in table if re.compile(pattern).match(text, start))
    return next(hints, "")
