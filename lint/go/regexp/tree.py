"""Regular expressions as trees."""

from __future__ import annotations

from collections.abc import Callable

from celvet.record import record

CharTest = Callable[[str], bool]
"""Whether a character matches."""


class RegexError(ValueError):
    """The text is not a regular expression; the message is Go's."""

    def __init__(self, code: str, fragment: str) -> None:
        super().__init__(f"error parsing regexp: {code}: `{fragment}`")


@record
class Char:
    """One character that passes a test."""

    test: CharTest


@record
class Assertion:
    r"""A place: `^`, `$`, `A`, `z`, `b` or `B`; the first two are those of lines."""

    name: str


@record
class Sequence:
    """One after the other."""

    parts: tuple[Tree, ...]


@record
class Alternation:
    """The first that leads to a match."""

    options: tuple[Tree, ...]


@record
class Repeat:
    """Again and again; `most` None is without end."""

    part: Tree
    least: int
    most: int | None
    greedy: bool


@record
class Capture:
    """A group whose text is kept, counted from 1."""

    part: Tree
    index: int


Tree = Char | Assertion | Sequence | Alternation | Repeat | Capture
