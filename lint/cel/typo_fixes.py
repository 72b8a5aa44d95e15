"""What to write in place of the usual slips, as far as the controller then takes the text.

`slips` names a slip in words. Here are those of which one text alone can be meant;
where something else is wrong besides, nothing is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from celvet.lint.cel.compilation import Compiled, compile_expression
from celvet.lint.model import Span

_QUOTES = "\u2018-\u201f\u00ab\u00bb\u00b4"
_SLIPS = tuple(
    (re.compile(pattern), back, instead)
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
"""What stands at the place of the error, or so many code points in front of it; what is meant."""

_NOT = re.compile(r"\b(?:not|NOT)\s{1,9}\Z")
_NEGATED = re.compile(
    r"[\w.]+(?:\([^()]*\))?\s*(?:\Z|&&|\|\||[)\]},?:]|(?:and|AND|or|OR)\b)",
)
"""What `!` negates as a whole, as `not` does: no comparison follows."""

_ESCAPE = re.compile(
    r"[bB]?(?P<quote>['\"])(?:[^\\\n'\"]|\\[abfnrtv\"'\\?`xXuU0-3])*(?P<slip>\\)",
)
_LONGEST = 2_000
_MOST = 12
"""So many slips are corrected in one text; each costs a compilation."""


class TypoFix(NamedTuple):
    """A span of an expression and the text to write there."""

    span: Span
    text: str


def typo_fixes(compiled: Compiled) -> tuple[TypoFix, ...]:
    """What makes a text that does not parse one that the controller takes; else nothing.

    The spans are of the text as it is, in source order, and do not touch.
    """
    made: list[TypoFix] = []
    current = compiled
    while current.refusals and len(made) < _MOST and len(compiled.text) <= _LONGEST:
        refusal = current.refusals[0]
        found = None
        if refusal.cause in ("syntax", "backtick"):
            found = _at(current.text, refusal.span.start)
        if found is None or not _is_behind(found, made):
            return ()
        text = current.text[: found.span.start] + found.text + current.text[found.span.end :]
        made.append(_moved(found, -_growth(made)))
        current = compile_expression(text, compiled.dialect)
    return tuple(made) if current.analysed and not current.refusals else ()


def _is_behind(found: TypoFix, made: Sequence[TypoFix]) -> bool:
    """Whether a correction of the text as it has become is behind all that changed it."""
    return not made or found.span.start >= made[-1].span.end + _growth(made)


def _growth(made: Sequence[TypoFix]) -> int:
    return sum(len(each.text) - (each.span.end - each.span.start) for each in made)


def _moved(correction: TypoFix, by: int) -> TypoFix:
    start, end = correction.span
    return TypoFix(Span(start + by, end + by), correction.text)


def _at(text: str, offset: int) -> TypoFix | None:
    """What to write for the slip behind an error at an offset."""
    for pattern, back, instead in _SLIPS:
        match = pattern.match(text, offset - back) if offset >= back else None
        if match and match.end() > offset:
            return TypoFix(Span(*match.span()), match.expand(instead))
    if escape := _ESCAPE.match(text, offset):
        return TypoFix(Span(*escape.span("slip")), r"\\")
    start = max(0, offset - len("not") - 10)
    negation = _NOT.search(text[start:offset])
    if negation and _NEGATED.match(text, offset):
        return TypoFix(Span(start + negation.start(), offset), "!")
    return None
