"""A page: the states of one check, in tables, and the findings about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.model import Finding, GroupKind, Value
from celvet.record import field as default_of
from celvet.record import record
from celvet.schemas import KindFacts

VERDICT = "verdict"
WAITING = {"InProgress", "NotReady", "Unknown"}
"""Verdicts at which the controller keeps waiting."""


@record
class Line:
    """One state: the object, the result of each expression, and the verdict.

    `cells` are texts by role, the verdict last. `marks` has, for each cell, the numbers of the
    notes that it proves.
    """

    state: str
    description: str
    object: Value
    cells: Mapping[str, str]
    marks: Mapping[str, Sequence[int]]


@record
class Page:
    """One check: `texts` are its expressions by role, `notes` the findings about it.

    `life` are the states that the controller of the kind names, `controller` names it; both are
    empty for a kind without an entry in the catalogue. `lines` are all other states. `timing` says
    when the controller checks. A refused check has no states. `place` is the file and the line,
    `fixed_texts` has the expressions that `celvet lint --fix` would change. `facts` are those about
    the kind, `waiter` names another waiter whose judgements are in a column of their own.
    """

    title: str
    field: str
    subject: str
    texts: Mapping[str, str]
    lines: Sequence[Line]
    notes: Sequence[Finding]
    life: Sequence[Line] = ()
    controller: str = ""
    timing: str = ""
    place: str = ""
    fixed_texts: Mapping[str, str] = default_of(default_factory=dict)
    facts: KindFacts | None = None
    waiter: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the cells of each line."""
        return (*self.texts, VERDICT, *((self.waiter,) if self.waiter else ()))

    @property
    def heading(self) -> str:
        """The object, the field of the check, and the kind under check."""
        return f"{', '.join(filter(None, (self.title, self.field)))}: {self.subject}"

    @property
    def tables(self) -> Iterator[tuple[str, Sequence[Line]]]:
        """The tables of states, each with its heading."""
        if self.life:
            yield f"in its life ({self.controller})", self.life
        if self.lines:
            yield "an object", self.lines


def kind_title(kind: GroupKind) -> str:
    """The group and kind, described if the entry does not name the kind."""
    if kind.kind:
        return str(kind)
    return f"an unnamed kind of {kind.group}" if kind.group else "an unnamed kind"
