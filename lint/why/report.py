"""The report: who waits, what stands behind it, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property

from celvet.lint.model import ObjectRef, Value
from celvet.lint.why.outlook.rules import NEEDS_CHANGE, Outlook, OutlookRule
from celvet.record import field, record


@record
class ComingEvent:
    """What the controller does next, and when; `at` is None where nobody can tell."""

    event: str
    at: datetime | None = None


NOTHING_COMES = ComingEvent("none")
"""The controller does nothing until somebody changes the object."""


@record
class Root:
    """The object that holds up a wait, and why.

    `field` is the place of the expression in `holder`, the object that waits, `expression` the
    smallest part of it that decides, `observed` what it read, by path. `rule` gives the outlook,
    `evidence` says where the life of the kind was read. `finding` is the finding of `celvet lint`
    that foretold it, `place` its line in git. `command` is one of kubectl that shows more.
    """

    object: ObjectRef
    cause: str
    message: str
    rule: OutlookRule
    observed: Mapping[str, Value] = field(default_factory=dict)
    field: str = ""
    expression: str = ""
    holder: ObjectRef | None = None
    evidence: str = ""
    finding: str = ""
    place: str = ""
    command: str = ""

    @property
    def outlook(self) -> Outlook:
        """Whether this ends without anybody changing something."""
        return self.rule.outlook

    @property
    def key(self) -> tuple[ObjectRef, str, str]:
        """What makes it the same root for two objects that wait."""
        return (self.object, self.cause, self.expression)


@record
class WaiterReport:
    """An object that waits; `roots` are indices in the report.

    `since` is when it got its verdict, `deadline` when its wait is given up.
    """

    object: ObjectRef
    verdict: str
    since: datetime | None
    deadline: datetime | None
    roots: tuple[int, ...]
    next: ComingEvent


@record(slots=False)
class WhyReport:
    """Everything that is known of a cluster at a time; `notes` say what could not be read."""

    at: datetime
    waiters: Sequence[WaiterReport]
    roots: Sequence[Root]
    notes: Sequence[str] = ()

    def dependants(self, index: int) -> list[WaiterReport]:
        """The objects that a root holds up."""
        reference = self.roots[index].object
        return [waiter for waiter in self.held_by(index) if waiter.object != reference]

    def held_by(self, index: int) -> Sequence[WaiterReport]:
        """The objects that a root holds up, and itself if it waits."""
        return self._by_root.get(index, ())

    @cached_property
    def _by_root(self) -> Mapping[int, list[WaiterReport]]:
        by_root: dict[int, list[WaiterReport]] = {}
        for waiter in self.waiters:
            for place in waiter.roots:
                by_root.setdefault(place, []).append(waiter)
        return by_root

    @property
    def failed(self) -> bool:
        """Whether something has failed, or needs a change."""
        return any(root.outlook == NEEDS_CHANGE for root in self.roots) or any(
            waiter.verdict == "failed" for waiter in self.waiters
        )

    @property
    def waits(self) -> bool:
        """Whether something is not ready."""
        return any(waiter.verdict in ("waiting", "blocked", "failed") for waiter in self.waiters)

    @property
    def summary(self) -> str:
        """How many are in which state, and how many roots there are."""
        verdicts = [waiter.verdict for waiter in self.waiters]
        order = ("failed", "blocked", "waiting", "suspended", "ready")
        counts = [f"{verdicts.count(word)} {word}" for word in order if word in verdicts]
        roots = len(self.roots)
        behind = f"; {roots} {'root' if roots == 1 else 'roots'}" if roots else ""
        return f"{', '.join(counts) or 'nothing waits'}{behind}"
