"""The faults of a check as facts; the rules word them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from celvet.lint.model import Counterexample, Span
from celvet.lint.predict.truth_table import Row
from celvet.record import record

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


@record
class Replacement:
    """A text for a span of a role's program; an empty text for all of it removes the expression."""

    role: str
    span: Span
    text: str


@record
class Rewrite:
    """Replacements that go together; `title` says what they do, as an imperative sentence.

    A `safe` rewrite changes only wrong verdicts.
    """

    title: str
    replacements: tuple[Replacement, ...]
    safe: bool = True


@record(kw_only=True)
class Diagnosis:
    """One cause, and the first state that proves it.

    `role` is that of the expression at fault and `span` the part of its program,
    None for all of it. `how` is the variant of the fault. `other` is the role of
    an expression that is affected, `detail` a text for the message: the name of a
    field or of a third role, or what to write instead. `others` counts the states
    besides the row's that prove the same. `says` is what the catalogue says of entries with this
    fault.
    """

    fault: Fault
    role: str
    row: Row | None
    how: str = ""
    span: Span | None = None
    other: str = ""
    detail: str = ""
    others: int = 0
    says: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether the author of the entry may have intended it."""
        return self.how in ("retried", "suspended", "choice", "hidden")

    @property
    def state(self) -> str:
        """The states that prove it, in words that continue "an object ..."."""
        if self.how in ("retried", "suspended", "hidden"):
            return f"in the state `{self.detail}`"
        described = self.row.state.description if self.row else ""
        if self.others:
            others = "another one" if self.others == 1 else f"one of {self.others} others"
            return f"{described}, or in {others},"
        return described

    @property
    def counterexample(self) -> Counterexample | None:
        """The state as a finding shows it."""
        return self.row.counterexample if self.row else None
