"""Recognises common typos behind a syntax error, and suggests what to write instead."""

from __future__ import annotations

import re
from typing import NamedTuple

from celvet.lint.cel.syntax.lexer import scan
from celvet.regex import regex

_OPERATOR = "is not an operator"
_TEMPLATE = "of a template is not rendered here"

_HERE = (
    (r"and\b|AND\b|&(?!&)", _OPERATOR, "write `&&`"),
    (r"or\b|OR\b|\|(?!\|)", _OPERATOR, "write `||`"),
    (r"not\b|NOT\b", _OPERATOR, "write `!`"),
    (r"(?<=[=!]=)=", "after another operator compares nothing", "write `==` or `!=`"),
    (r"(?<=<)>", "after `<` compares nothing", "write `!=`"),
    (r"=~", _OPERATOR, "write `.matches(...)`"),
    (r"=>", _OPERATOR, "write `>=`, or a macro such as `.all(x, ...)`"),
    (r"=(?!=)|is\b|eq\b", _OPERATOR, "write `==`"),
    (r"(?:contains|endsWith|matches|startsWith)\b", "is a method", "write it as `.method(...)`"),
    (r"(?<=\?)\?", "after another one is not an operator", "write `.?field.orValue(...)`"),
    (r";", "has no place in an expression", "remove it"),
    (r"[\u2018-\u201f\u00ab\u00bb\u00b4]", "is a typographic quote", "write a plain `'`"),
    (r"\u00a0", "is a no-break space", "write a plain space"),
    (
        r"\$\{[^}]*\}?",
        "is a variable that is not replaced by its value",
        "write the value; where the manifest has `$${`, write `${`, since Flux takes `$$` for a"
        " `$` and puts no value there",
    ),
    (r"\$", "is not the root of anything in CEL", "begin with a field of the object"),
    (
        r"(?<=\[\?\()@",
        "belongs to a filter of JSONPath",
        "write `.exists(x, x.type == 'Ready' && x.status == 'True')`",
    ),
    (r"<<|(?<=<)<", _TEMPLATE, "write plain CEL"),
    (r"(?<=\[)\*|(?<=\.)\*", "is not a wildcard", "write `.exists(x, ...)` or `.all(x, ...)`"),
    (r"(?<=\[)\]", "closes an index that is empty", "write an index, or `.exists(x, ...)`"),
    (r"#|(?<=/)\*", "does not begin a comment", "write `//`"),
    (r"`[^`]*`", "cannot be used alone as a name", "write a string in plain quotes"),
)
"""Pattern of the text where the parser failed, reason and hint; the first that matches counts."""

_BEFORE = (
    (r"(\{\{)[^}]*\}?\Z", _TEMPLATE, "write plain CEL"),
    (r"\b(not|NOT)\s+\Z", _OPERATOR, "write `!`"),
    (r"(\?\.)\w[^:]*\Z", _OPERATOR, "write `.?`"),
)
"""Pattern of the text before the error, reason and hint."""

_REACH = 200
"""How far before the error to look for a typo, in code points."""

_PARTNERS = {")": "(", "]": "[", "}": "{"}
_LITERAL = regex(
    r"[rRbB]{0,2}(?P<quote>'''|\"\"\"|['\"])(?P<body>(?:[^\\\n'\"]|\\[abfnrtv\"'\\?`xXuU0-3])*)"
)


class TypoHint(NamedTuple):
    """A reason, and what to write instead, which may be empty."""

    reason: str
    hint: str = ""


def recognise(text: str, offset: int) -> TypoHint:
    """The typo behind a syntax error at `offset`, or else the token there."""
    for pattern, mistake, hint in _HERE:
        if match := re.compile(pattern).match(text, offset):
            return TypoHint(f"`{match.group()}` {mistake}", hint)
    for pattern, mistake, hint in _BEFORE:
        if match := re.search(pattern, text[max(0, offset - _REACH) : offset]):
            return TypoHint(f"`{match.group(1)}` {mistake}", hint)
    if match := _LITERAL.match(text, offset):
        return _string(text, match)
    return _bracket(text, offset)


def _string(text: str, literal: re.Match[str]) -> TypoHint:
    """Why a text in quotes is not a string."""
    quote, following = literal["quote"], text[literal.end() : literal.end() + 2]
    if following.startswith("\\"):
        hint = f"double the backslash, or write r{quote}...{quote}"
        return TypoHint(f"`{following}` is not an escape", hint)
    if following.startswith("\n"):
        return TypoHint(
            "a string in plain quotes cannot span lines", "write it between triple quotes"
        )
    return TypoHint(
        f"the string that begins with `{quote}` never ends", f"add the closing `{quote}`"
    )


def _bracket(text: str, offset: int) -> TypoHint:
    """A bracket without its partner, or an unexpected token."""
    open_brackets = _open_brackets(text[:offset])
    token = next(token for token in scan(text) if token.start >= offset)
    if token.kind == "end":
        if open_brackets:
            return TypoHint(
                f"the expression ends before `{open_brackets[-1]}` is closed", "close it"
            )
        return TypoHint("the expression ends where a value is expected")
    if token.text in _PARTNERS and _PARTNERS[token.text] not in open_brackets:
        return TypoHint(f"`{token.text}` closes nothing", "remove it")
    return TypoHint(f"`{token.text}` is not expected here")


def _open_brackets(text: str) -> list[str]:
    open_brackets: list[str] = []
    for token in scan(text):
        if token.text in _PARTNERS.values():
            open_brackets.append(token.text)
        elif open_brackets and open_brackets[-1] == _PARTNERS.get(token.text):
            open_brackets.pop()
    return open_brackets
