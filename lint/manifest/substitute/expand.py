"""Expands parsed `${VAR}` texts and remembers where each piece came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celvet.lint.manifest.substitute.grammar import (
    BadSubstitutionError,
    FuncNode,
    PlainText,
    SubstitutionNode,
    parse,
)
from celvet.lint.manifest.substitute.operators import apply
from celvet.record import record

MAX_EXPANDED = 256 * 1024
"""Code points that one expansion may give; `${a//x/${b//y/...}}` multiplies."""

_DEFAULTS = frozenset((":=", ":-", ":+", ":?", "="))


@record
class Piece:
    """Expanded text and the source range it stands for; an exact one is a copy of it."""

    text: str
    start: int
    end: int
    exact: bool


@record
class Expansion:
    """The pieces of an expanded text, none empty, and the names that had no value."""

    pieces: tuple[Piece, ...]
    missing: tuple[str, ...]


def expand(text: str, variables: Mapping[str, str]) -> Expansion:
    """Expand a text. Line breaks in values are dropped, as Flux drops them.

    Raises:
        BadSubstitutionError: where Flux refuses the text, and for expansions
            beyond `MAX_EXPANDED`.

    """
    run = _Expander(text, variables)
    pieces = run.pieces(parse(text))
    return Expansion(tuple(pieces), tuple(run.missing))


class _Expander:
    def __init__(self, text: str, variables: Mapping[str, str]) -> None:
        self._text = text
        self._variables = variables
        self._size = 0
        self.missing: dict[str, None] = {}

    def pieces(self, parts: Sequence[SubstitutionNode]) -> list[Piece]:
        found: list[Piece] = []
        for part in parts:
            if isinstance(part, PlainText):
                text = self._text[part.start : part.end]
                found.append(Piece(text, part.start, part.end, exact=True))
            else:
                found += self._call(part)
        return [piece for piece in found if piece.text]

    def _call(self, call: FuncNode) -> list[Piece]:
        value = self._variables.get(call.name, "").replace("\n", "")
        if call.operator in _DEFAULTS:
            if not value:
                return self.pieces(call.arguments[0])
        elif call.name not in self._variables:
            self.missing[call.name] = None
        else:
            arguments = [self._joined(argument) for argument in call.arguments]
            self._charge(call.operator, value, arguments)
            value = apply(call.operator, value, arguments)
        return [Piece(value, call.start, call.end, exact=False)]

    def _joined(self, parts: tuple[SubstitutionNode, ...]) -> str:
        return "".join(piece.text for piece in self.pieces(parts))

    def _charge(self, operator: str, value: str, arguments: list[str]) -> None:
        """Count what an operator will give at most, before it is computed."""
        new = arguments[1] if len(arguments) > 1 else ""
        self._size += len(value)
        if operator.startswith("/"):
            self._size += len(new) * (value.count(arguments[0]) if operator == "//" else 1)
        if self._size > MAX_EXPANDED + len(self._text):
            raise BadSubstitutionError("the substituted text is too long")
