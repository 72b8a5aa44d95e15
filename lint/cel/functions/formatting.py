"""Format strings and their clauses.

With type checks, cel-go 0.26.1 checks `'...'.format([...])` if both are literals
(`ext/formatting_v2.go`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from celvet.record import record
from celvet.regex import regex
from celvet.schemas.cel_go import CelGoChange

_PIECE = regex(r"(?P<plain>[^%]+|%%)|%(?:\.(?P<precision>[0-9]*))?(?P<letter>.?)", re.DOTALL)
_NUMBERS = frozenset({"int", "uint", "double"})
_TAKES = {
    "d": _NUMBERS,
    "f": _NUMBERS,
    "e": _NUMBERS,
    "b": frozenset({"bool", "int", "uint"}),
    "x": frozenset({"int", "uint", "string", "bytes"}),
    "X": frozenset({"int", "uint", "string", "bytes"}),
    "o": frozenset({"int", "uint"}),
    "s": _NUMBERS
    | {"list", "map", "bool", "string", "timestamp", "bytes", "duration", "type", "null"},
}
"""Letter of a clause -> the types that it prints; `dyn` is always taken."""

_MOST_DIGITS = 100
"""The most digits after the point, from cel-go 0.29.0 on."""


class TooPrecise(ValueError):  # noqa: N818 - a property of the clause
    """A clause asks for too many digits; the text is cel-go's."""


@record
class Clause:
    """A clause such as `%s` or `%.2f`: the letter, and the number of digits (6 by default)."""

    letter: str
    precision: int
    text: str

    def takes(self, kind: str) -> bool:
        """Whether the clause prints a value of this type, given without parameters."""
        return kind == "dyn" or kind in _TAKES[self.letter]


def pieces(text: str, changes: frozenset[CelGoChange] = frozenset()) -> Iterator[str | Clause]:
    """The texts and clauses of a format string, in order.

    Raises `TooPrecise`, or `ValueError` for any other bad clause.
    """
    for match in _PIECE.finditer(text):
        plain, precision, letter = match.groups()
        if plain:
            yield plain.replace("%%", "%")
        elif letter not in _TAKES or precision == "" or len(precision or "") > 9:
            raise ValueError(f"`{match.group()}` is not a clause of a format string")
        elif "short-fraction" in changes and int(precision or 6) > _MOST_DIGITS:
            raise TooPrecise(
                "could not parse formatting clause: error while parsing precision: "
                f"precision {precision} exceeds maximum allowed precision {_MOST_DIGITS}"
            )
        else:
            yield Clause(letter, int(precision or 6), match.group())
