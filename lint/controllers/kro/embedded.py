"""The expressions in a text: `${...}` (kro 0302e659, `pkg/graph/parser/{cel,conditions}.go`)."""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.go.quoting import quote
from celvet.lint.model import Span

_OPENING = "${"


class NestedError(ValueError):
    """An expression begins inside another one."""


def spans(text: str) -> list[Span]:
    """The expressions of a text, without their wrappers; raises `NestedError`.

    Braces in double quotes do not count, those in single quotes do.
    """
    places: list[Span] = []
    start = 0
    while (opening := text.find(_OPENING, start)) >= 0:
        closing = _closing(text, opening + len(_OPENING))
        if closing is None:
            start += 1
            continue
        places.append(Span(opening + len(_OPENING), closing))
        start = closing + 1
    return places


def _closing(text: str, place: int) -> int | None:
    """The brace that closes an expression; None if it is not closed."""
    depth, in_quotes = 1, False
    while place < len(text):
        letter = text[place]
        # An escaped letter in quotes never ends them.
        if in_quotes and letter == "\\":
            place += 1
        elif letter == '"':
            in_quotes = not in_quotes
        elif not in_quotes and letter == "{":
            depth += 1
        elif not in_quotes and letter == "}":
            depth -= 1
            if not depth:
                return place
        elif not in_quotes and text.startswith(_OPENING, place) and text[place - 1] != '"':
            raise NestedError
        place += 1
    return None


def standalone(text: str) -> Span | None:
    """The expression that is all of the text, None without one; raises `NestedError`."""
    places = spans(text)
    alone = len(places) == 1 and places[0] == (len(_OPENING), len(text) - 1)
    return places[0] if alone else None


def concatenation(text: str, parts: Sequence[Span]) -> str:
    """The expression that kro makes of a text with expressions in it."""
    pieces, place = [], 0
    for part in parts:
        if part.start - len(_OPENING) > place:
            pieces.append(quote(text[place : part.start - len(_OPENING)]))
        pieces.append(f"({text[part.start : part.end]})")
        place = part.end + 1
    if place < len(text):
        pieces.append(quote(text[place:]))
    return " + ".join(pieces)
