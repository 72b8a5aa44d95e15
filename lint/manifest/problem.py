"""What can be wrong with a file before anybody looks at the objects in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from celvet.lint.model import Path, Related, Span, Where

Kind: TypeAlias = Literal[
    "alias-bomb",
    "alias-cycle",
    "bad-value",
    "binary",
    "duplicate-key",
    "encoding",
    "helm-template",
    "key-text",
    "key-type",
    "too-deep",
    "too-large",
    "undefined-alias",
    "unknown-tag",
    "yaml-syntax",
]
"""The closed set of kinds.

`key-text`, `duplicate-key` and `unknown-tag` leave the document readable, as does `bad-value`
(the value is null) and `key-type` (the entry is dropped); the others cost the
document, or the file for `binary`, `encoding` and `too-large`. `helm-template`
stands for all that is wrong in a file that is a template, and is said once.
"""

KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the writing of a file.

    `where` holds a span of the file's text (`Where.source`); `message` and
    `help` obey the rules for findings.
    """

    kind: Kind
    message: str
    help: str
    where: Where
    related: tuple[Related, ...] = ()

    def within(self, document: int, path: Path) -> Problem:
        """The same for who sees the text as the scalar at a path of a document."""
        related = tuple(
            replace(also, where=Where(document, path, inner=also.where)) for also in self.related
        )
        return replace(self, where=Where(document, path, inner=self.where), related=related)


class Problems:
    """The problems of one document, as far as they are kept: the first hundred."""

    LIMIT = 100

    def __init__(self, document: int) -> None:
        self._document = document
        self._found: list[Problem] = []

    def add(self, kind: Kind, message: str, help_: str, place: Span, *related: Related) -> None:
        """Note a problem at a range of the file's text."""
        if len(self._found) < self.LIMIT:
            self._found.append(Problem(kind, message, help_, self.at(place), related))

    def end(self, kind: Kind, message: str, help_: str, place: Span, *related: Related) -> None:
        """Note the problem that ends the document; it is never left out."""
        self._found.append(Problem(kind, message, help_, self.at(place), related))

    def at(self, place: Span) -> Where:
        """A range of the file's text as a place of this document."""
        return Where(document=self._document, source=place)

    def all(self) -> tuple[Problem, ...]:
        """The problems in the order in which they were met."""
        return tuple(self._found)


class Refused(Exception):  # noqa: N818 - control flow inside this package, not an error of ours
    """Ends the reading of a document: the kind, message, help and place of the problem."""

    def __init__(self, kind: Kind, message: str, help_: str, place: Span) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.help = help_
        self.place = place


def shown(text: str) -> str:
    """A text of the user as a message shows it: on one line, cut where it is long."""
    line = " ".join(text[: 4 * _SHOWN].split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."


_SHOWN = 60


def at(document: int, start: int, end: int) -> Where:
    """The place of a source range."""
    return Where(document=document, source=Span(start, end))
