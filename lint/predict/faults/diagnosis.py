"""What is wrong with a subject, as facts; the rules put them into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from celvet.lint.model import Counterexample, Span
from celvet.lint.predict.truth_table import Row

Fault: TypeAlias = Literal[
    "premature",
    "vacuous",
    "never",
    "hidden",
    "negation",
    "blocked",
    "unguarded",
    "stale",
]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A text in the place of a span of the expression with a role."""

    role: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Remedy:
    """Rewrites that go together; `title` tells them as one imperative sentence.

    A `safe` one leaves every verdict that was not wrong.
    """

    title: str
    rewrites: tuple[Rewrite, ...]
    safe: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """One cause, and the first state that proves it.

    `role` is the expression at fault and `span` the part of it, None for all of
    it. `how` tells ways of the same fault apart; `other` is the role of an
    expression that suffers, `detail` a piece of text such as a field's name, or
    what to write instead.
    """

    fault: Fault
    role: str
    row: Row | None
    how: str = ""
    span: Span | None = None
    other: str = ""
    detail: str = ""

    @property
    def counterexample(self) -> Counterexample | None:
        """The state as a finding shows it."""
        return self.row.counterexample if self.row else None
