"""The faults of a check as facts; the rules word them.

Each fault has the role of the expression at fault and the first state that proves it. A fault that
can be proved in several ways has a `proof`, with the data of that way alone.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias, TypeVar

from celvet.lint.causes import Cause
from celvet.lint.checks.advice import KnownState
from celvet.lint.model import Confidence, Span
from celvet.lint.predict.truth_table import Row
from celvet.record import record


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
class Fault:
    """What all faults have: the role of the expression at fault, and how sure the mistake is."""

    role: str
    confidence: Confidence = Confidence.HIGH


StageInLife: TypeAlias = Literal["starting", "updating", "ready", "failing", "suspended", "retried"]


@record
class InLife:
    """The verdict is wrong in a known state; `other_states` prove the same.

    `cure` is a test that makes the expression of a gate right in all states, empty if none does.
    """

    cause: ClassVar[Cause] = Cause.PREMATURE
    state: KnownState
    stage: StageInLife
    other_states: tuple[str, ...]
    cure: str = ""


@record
class NothingMatches:
    """The part at `span` is true because its list is empty.

    `instead` is its text with a demand for a match, empty if that is not easy.
    """

    cause: ClassVar[Cause] = Cause.PREMATURE
    span: Span
    instead: str


@record
class CountersAtZero:
    """The expression is true while all counters that it compares are 0."""

    cause: ClassVar[Cause] = Cause.PREMATURE


@record
class UnnamedStage:
    """The expression is true for each value of the object's stage, `field`, that it leaves out."""

    cause: ClassVar[Cause] = Cause.UNNAMED_STAGE
    field: str


@record
class NothingHappened:
    """The expression is true before the controller has written anything of it."""

    cause: ClassVar[Cause] = Cause.PREMATURE


@record(kw_only=True)
class Premature(Fault):
    """A verdict that comes too early; `also` is the role of another expression that is true."""

    row: Row
    proof: InLife | NothingMatches | CountersAtZero | UnnamedStage | NothingHappened
    also: str = ""

    @property
    def cause(self) -> Cause:
        """The cause, for the arbiter."""
        return Cause.UNLIKELY if self.confidence is Confidence.LOW else self.proof.cause


SortOfValue: TypeAlias = Literal["text", "number", "bytes", "case", "boolean"]


@record
class OddValue:
    """A comparison with a value that its other side never has; `reason` says so."""

    cause: ClassVar[Cause] = Cause.NEVER_TRUE
    sort: SortOfValue
    reason: str


ComparedParts: TypeAlias = Literal["values", "bounds", "comparisons"]


@record
class Contradiction:
    """Comparisons that exclude each other: a field's `values`, its `bounds`, or any others."""

    cause: ClassVar[Cause] = Cause.NEVER_TRUE
    between: ComparedParts


@record
class Unwritten:
    """A value that the controller of the kind never writes; `reason` says so.

    `word` is the text in quotes that is wrong, and `intention` most likely the right one. With
    `was_written`, former releases wrote it.
    """

    cause: ClassVar[Cause] = Cause.UNWRITTEN
    reason: str
    word: str = ""
    intention: str = ""
    was_written: bool = False


@record
class Stuck:
    """A ready object of the kind that does not count as ready; with `always`, none does."""

    row: Row
    state: KnownState
    always: bool

    @property
    def cause(self) -> Cause:
        """The cause, for the arbiter."""
        return Cause.STUCK if self.always else Cause.SOMETIMES_STUCK


@record(kw_only=True)
class NeverTrue(Fault):
    """An expression that no object makes true, or a verdict that ready objects never get."""

    proof: OddValue | Contradiction | Unwritten | Stuck

    @property
    def cause(self) -> Cause:
        """The cause, for the arbiter."""
        return self.proof.cause

    @property
    def row(self) -> Row | None:
        """The state of an object that is stuck; a search that finds nothing has none."""
        return self.proof.row if isinstance(self.proof, Stuck) else None


@record
class BothInLife:
    """Both expressions are true of a failing object in a known state."""

    cause: ClassVar[Cause] = Cause.HIDDEN_IN_LIFE
    state: KnownState


@record
class OperandHidden:
    """The earlier expression is true whenever this operand of `||`, a text, is."""

    cause: ClassVar[Cause] = Cause.HIDDEN
    operand: str


@record
class AllHidden:
    """The earlier expression is true whenever the other is, unless that of a third role is too."""

    cause: ClassVar[Cause] = Cause.HIDDEN
    unless: str


@record(kw_only=True)
class Shadowed(Fault):
    """An expression that is true whenever that of `hidden_role`, which is tried later, is."""

    row: Row
    hidden_role: str
    proof: BothInLife | OperandHidden | AllHidden

    @property
    def cause(self) -> Cause:
        """The cause, for the arbiter."""
        return self.proof.cause


@record(kw_only=True)
class Negation(Fault):
    """A `failed` that is true whenever the expression of `current_role` is not."""

    cause: ClassVar[Cause] = Cause.NEGATION
    row: Row
    current_role: str


@record(kw_only=True)
class Vacuous(Fault):
    """An `inProgress` whose part at `span` is true of a healthy object, as nothing matches.

    `instead` is a text that demands a match, empty if that is not easy.
    """

    cause: ClassVar[Cause] = Cause.VACUOUS
    row: Row
    span: Span
    instead: str


@record(kw_only=True)
class Blocked(Fault):
    """An error that keeps the expression of `blocked_role` from its verdict.

    It lasts on a healthy object that lacks `missing_field`; without one, it comes whenever the
    other expression is true.
    """

    row: Row
    blocked_role: str
    missing_field: str | None = None

    @property
    def cause(self) -> Cause:
        """The cause, for the arbiter."""
        return Cause.BLOCKED if self.missing_field is None else Cause.MISSING_FIELD


@record(kw_only=True)
class Unguarded(Fault):
    """An error before the first status, at a field that is guarded elsewhere."""

    cause: ClassVar[Cause] = Cause.UNGUARDED
    row: Row
    error: str


@record
class ChangedInLife:
    """The object counts as ready in a known state just after a change."""

    cause: ClassVar[Cause] = Cause.STALE_IN_LIFE
    state: KnownState


@record
class OpenGate:
    """The gate replaces the controller's own comparison of the generations, the text `test`."""

    cause: ClassVar[Cause] = Cause.STALE
    test: str


@record
class OldCondition:
    """A condition of an older generation decides.

    Its generation is compared by the expression itself, by another one, or by none.
    """

    cause: ClassVar[Cause] = Cause.STALE
    compared_by: Literal["itself", "another", "none"]


@record(kw_only=True)
class Stale(Fault):
    """A verdict that rests on a status of an older generation."""

    row: Row
    proof: ChangedInLife | OpenGate | OldCondition

    @property
    def cause(self) -> Cause:
        """The cause, for the arbiter."""
        return self.proof.cause


Diagnosis: TypeAlias = (
    Premature | NeverTrue | Shadowed | Negation | Vacuous | Blocked | Unguarded | Stale
)
DiagnosisT = TypeVar(
    "DiagnosisT", Premature, NeverTrue, Shadowed, Negation, Vacuous, Blocked, Unguarded, Stale
)


def known_state(diagnosis: Diagnosis) -> KnownState | None:
    """The state of the kind's life that proves a fault; None for any other proof."""
    match diagnosis:
        case (
            Premature(proof=InLife(state=state))
            | NeverTrue(proof=Stuck(state=state))
            | Shadowed(proof=BothInLife(state=state))
            | Stale(proof=ChangedInLife(state=state))
        ):
            return state
    return None
