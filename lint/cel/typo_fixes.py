"""Fixes common typos, such as `and` for `&&`, if the controller accepts the fixed text.

`celvet.lint.cel.check.typo_hints` describes typos. Only unambiguous ones have a fix, and a text
with any other error has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from celvet.lint.cel import compile_expression
from celvet.lint.cel.compiled import Compiled
from celvet.lint.model import Span
from celvet.regex import regex

_QUOTES = "\u2018-\u201f\u00ab\u00bb\u00b4"
_TYPOS = tuple(
    (regex(pattern), back, instead)
    for pattern, back, instead in (
        (r"(?:and|AND)\b|&(?!&)", 0, "&&"),
        (r"(?:or|OR)\b|\|(?!\|)", 0, "||"),
        (r"([=!]=)=", 2, r"\1"),
        (r"<>", 1, "!="),
        (r"is\s+not\b", 0, "!="),
        (r"=(?![=~<>!])|(?:is|eq)\b", 0, "=="),
        (rf"[{_QUOTES}]([^{_QUOTES}'\"\\\n]*)[{_QUOTES}'\"]", 0, r"'\1'"),
        (r"\u00a0", 0, " "),
        (r"[;)\]}](?=\s*\Z)", 0, ""),
        (r"\.`([^`'\\\n]*)`", 1, r"['\1']"),
    )
)
"""Pattern, code points between its start and the error, replacement."""

_NOT = regex(r"\b(?:not|NOT)\s{1,9}\Z")
_NEGATED = regex(r"[\w.]+(?:\([^()]*\))?\s*(?:\Z|&&|\|\||[)\]},?:]|(?:and|AND|or|OR)\b)")
"""An operand that both `!` and `not` negate as a whole, since no comparison follows."""

_ESCAPE = regex(r"[bB]?(?P<quote>['\"])(?:[^\\\n'\"]|\\[abfnrtv\"'\\?`xXuU0-3])*(?P<typo>\\)")
_LONGEST = 2_000
_MOST = 12
"""The most typos fixed in one text; each costs a compilation."""


class TypoFix(NamedTuple):
    """A span of an expression and the text to write there."""

    span: Span
    text: str


def typo_fixes(compiled: Compiled) -> tuple[TypoFix, ...]:
    """The fixes with which the controller accepts a text that does not parse, if there are any.

    The spans are those of the original text, in source order, and do not touch.
    """
    fixes: list[TypoFix] = []
    current = compiled
    while current.refusals and len(fixes) < _MOST and len(compiled.text) <= _LONGEST:
        refusal = current.refusals[0]
        fix = None
        if refusal.cause in ("syntax", "backtick"):
            fix = _at(current.text, refusal.span.start)
        if fix is None or not _is_behind(fix, fixes):
            return ()
        text = current.text[: fix.span.start] + fix.text + current.text[fix.span.end :]
        fixes.append(_shift(fix, -_added_length(fixes)))
        current = compile_expression(text, compiled.dialect)
    return tuple(fixes) if current.analysed and not current.refusals else ()


def _is_behind(fix: TypoFix, fixes: Sequence[TypoFix]) -> bool:
    """Whether a fix of the changed text comes after all earlier fixes."""
    return not fixes or fix.span.start >= fixes[-1].span.end + _added_length(fixes)


def _added_length(fixes: Sequence[TypoFix]) -> int:
    return sum(len(fix.text) - (fix.span.end - fix.span.start) for fix in fixes)


def _shift(fix: TypoFix, offset: int) -> TypoFix:
    start, end = fix.span
    return TypoFix(Span(start + offset, end + offset), fix.text)


def _at(text: str, offset: int) -> TypoFix | None:
    """The fix of the typo behind an error at an offset."""
    for pattern, back, instead in _TYPOS:
        match = pattern.match(text, offset - back) if offset >= back else None
        if match and match.end() > offset:
            return TypoFix(Span(*match.span()), match.expand(instead))
    if escape := _ESCAPE.match(text, offset):
        return TypoFix(Span(*escape.span("typo")), r"\\")
    start = max(0, offset - len("not") - 10)
    negation = _NOT.search(text[start:offset])
    if negation and _NEGATED.match(text, offset):
        return TypoFix(Span(start + negation.start(), offset), "!")
    return None
