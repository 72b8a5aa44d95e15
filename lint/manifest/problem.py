"""Problems with the text of a file: broken YAML, odd encodings, hostile sizes."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from celvet.lint.model import Path, Related, Span, Where
from celvet.record import record, replace

ProblemKind: TypeAlias = Literal[
    "after-end",
    "alias-bomb",
    "alias-cycle",
    "bad-value",
    "binary",
    "duplicate-key",
    "encoding",
    "helm-template",
    "key-text",
    "key-type",
    "merge-order",
    "template-execution",
    "template-syntax",
    "template-unsupported",
    "too-deep",
    "too-large",
    "undefined-alias",
    "unknown-tag",
    "yaml-syntax",
]
"""The closed set of kinds.

`key-text`, `duplicate-key`, `merge-order` and `unknown-tag` leave the document readable, as do
`bad-value` (the value is null) and `key-type` (the entry is dropped). The others make the document
unreadable; `binary`, `encoding` and `too-large` the whole file. `helm-template` is
reported once per file, instead of all that is wrong in its templates. Those of `template-`
are of the templates of a ResourceSet, which the engine renders.
"""

KINDS: tuple[str, ...] = get_args(ProblemKind)


@record
class Problem:
    """A problem with the text of a file.

    `where` holds a span of the file's text (`Where.source`); `message` and
    `help` obey the rules for findings.
    """

    kind: ProblemKind
    message: str
    help: str
    where: Where
    related: tuple[Related, ...] = ()

    def within(self, document: int, path: Path) -> Problem:
        """The problem, placed in the file whose document has the text at `path`."""
        moved_places = tuple(
            replace(related, where=Where(document, path, inner=related.where))
            for related in self.related
        )
        return replace(self, where=Where(document, path, inner=self.where), related=moved_places)


class Problems:
    """Collects the problems of one document, at most the first hundred."""

    LIMIT = 100

    def __init__(self, document: int) -> None:
        self._document = document
        self._problems: list[Problem] = []

    def add(
        self, kind: ProblemKind, message: str, help_: str, place: Span, *related: Related
    ) -> None:
        """Note a problem at a range of the file's text."""
        if len(self._problems) < self.LIMIT:
            self._problems.append(Problem(kind, message, help_, self.at(place), related))

    def end(
        self, kind: ProblemKind, message: str, help_: str, place: Span, *related: Related
    ) -> None:
        """Note the problem that ends the document; it is never left out."""
        self._problems.append(Problem(kind, message, help_, self.at(place), related))

    def at(self, place: Span) -> Where:
        """A range of the file's text as a place of this document."""
        return Where(document=self._document, source=place)

    def all(self) -> tuple[Problem, ...]:
        """The problems in the order in which they were met."""
        return tuple(self._problems)


class Refused(Exception):  # noqa: N818 - control flow inside this package
    """Ends the reading of a document; has kind, message, help and place of the problem."""

    def __init__(self, kind: ProblemKind, message: str, help_: str, place: Span) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.help = help_
        self.place = place


def source_range(document: int, start: int, end: int) -> Where:
    """A range of the file's text as a place."""
    return Where(document=document, source=Span(start, end))
