"""Which of the faults of one check are reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, TypeVar

from celvet.lint.causes import Cause
from celvet.record import record


class FaultLike(Protocol):
    """What the arbiter looks at in a fault."""

    @property
    def role(self) -> str:
        """The role of the expression at fault."""

    @property
    def cause(self) -> Cause:
        """What is wrong with it."""


FaultT = TypeVar("FaultT", bound=FaultLike)
Source: TypeAlias = tuple[tuple[Cause, ...], Callable[[], Iterable[FaultT]]]
"""The causes of the faults that a search may find, and the search."""


@record
class FaultExclusion:
    """In one check, each of `winners` excludes all `losers`, or those of the same `role`."""

    winners: tuple[Cause, ...]
    losers: tuple[Cause, ...]
    reason: str
    same_role: bool = False
    known_kind: bool = False
    """Whether it applies only if the states of the kind's life are known."""

    def excludes(self, winner: FaultLike, loser: FaultLike) -> bool:
        """Whether the first of two faults excludes the second."""
        is_near = winner.role == loser.role or not self.same_role
        return is_near and winner.cause in self.winners and loser.cause in self.losers


_DEAD = (Cause.NEVER_TRUE, Cause.UNWRITTEN, Cause.STUCK)

FAULTS = (
    FaultExclusion(
        (Cause.NEVER_TRUE,),
        (Cause.UNWRITTEN, Cause.STUCK, Cause.SOMETIMES_STUCK),
        "what is true of no object at all needs no facts about its kind",
        same_role=True,
    ),
    FaultExclusion(
        _DEAD,
        (
            Cause.HIDDEN,
            Cause.HIDDEN_IN_LIFE,
            Cause.BLOCKED,
            Cause.MISSING_FIELD,
            Cause.NEGATION,
            Cause.VACUOUS,
        ),
        "how the expressions of a check work together shows once each can be true",
    ),
    FaultExclusion(
        (*_DEAD, Cause.SOMETIMES_STUCK, Cause.PREMATURE, Cause.UNNAMED_STAGE),
        (Cause.STALE, Cause.STALE_IN_LIFE),
        "the recommended entry, which the help names, compares the generations as well",
        known_kind=True,
    ),
    FaultExclusion(
        (Cause.STALE, Cause.STALE_IN_LIFE),
        (Cause.STALE, Cause.STALE_IN_LIFE),
        "one proof is enough, and the first one shows more",
    ),
    FaultExclusion(
        (Cause.HIDDEN_IN_LIFE,),
        (Cause.HIDDEN, Cause.BLOCKED),
        "an object that the controller does leave behind is the better proof",
    ),
    FaultExclusion(
        (Cause.KNOWN_KIND,),
        (Cause.NEGATION,),
        "the states of its life have shown which verdicts come too early",
    ),
    FaultExclusion(
        (Cause.PREMATURE, Cause.UNLIKELY, Cause.HIDDEN, Cause.BLOCKED),
        (Cause.NEGATION,),
        "a `failed` that comes before anything has happened is wrong for more than what it negates",
        same_role=True,
    ),
    FaultExclusion(
        (Cause.HIDDEN,),
        (Cause.PREMATURE, Cause.UNNAMED_STAGE),
        "a `failed` that is true of every ready object is wrong for more than one stage",
        same_role=True,
    ),
    FaultExclusion(
        (Cause.NEGATION,),
        (Cause.UNNAMED_STAGE, Cause.SOMETIMES_STUCK),
        "it leaves out the stages because it negates `current`",
        same_role=True,
    ),
    FaultExclusion(
        (Cause.VACUOUS,),
        (Cause.SOMETIMES_STUCK,),
        "the object is stuck because nothing matches",
        same_role=True,
    ),
)
"""Who excludes whom in one check, and why."""


def choose_faults(sources: Iterable[Source[FaultT]], *, known_kind: bool) -> tuple[FaultT, ...]:
    """The faults of a check that are reported, in the order of their sources."""
    rows = [row for row in FAULTS if known_kind or not row.known_kind]
    winners = {Cause.KNOWN_KIND} if known_kind else set()
    faults: list[FaultT] = []
    for causes, search in sources:
        # Some searches take long, so one for nothing but losers is left out.
        tables = (row.losers for row in rows if not row.same_role and winners & {*row.winners})
        if {cause for losers in tables for cause in losers}.issuperset(causes):
            continue
        for fault in search():
            faults.append(fault)
            winners.add(fault.cause)
    for row in rows:
        # Of faults that exclude each other, the first one stands.
        faults = [
            loser
            for number, loser in enumerate(faults)
            if not any(
                row.excludes(winner, loser)
                for winner in (faults[:number] if loser.cause in row.winners else faults)
            )
        ]
    return tuple(faults)
