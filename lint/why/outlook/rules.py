"""How each state of a root ends: the rows of the table in docs/why.md.

What decides is the state of the root, the life of its kind, and whether its controller tries again.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeAlias

Outlook: TypeAlias = Literal["recovers-by-itself", "needs-change", "unknown"]
"""Whether a state ends without anybody changing something."""

RECOVERS: Outlook = "recovers-by-itself"
NEEDS_CHANGE: Outlook = "needs-change"
UNKNOWN: Outlook = "unknown"


class OutlookRule(Enum):
    """A state in words, and its outlook; the first that a root is in counts.

    It is of no use to wait for a `final` state to end: no change of another object ends it.
    """

    HELD_DELETION = "it is deleted, and a finalizer holds it", NEEDS_CHANGE
    DELETION = "it is deleted, and nothing holds it", RECOVERS
    SUSPENDED = "it is suspended or paused", NEEDS_CHANGE, True
    CYCLE = "it waits for itself, by way of others", NEEDS_CHANGE, True
    STALLED = "it has failed, and its controller does not try again", NEEDS_CHANGE, True
    NEVER_TRUE = "an expression about it fails, as `celvet lint` foretold", NEEDS_CHANGE, True
    FAILED = "it has failed, and its kind does not leave this state", NEEDS_CHANGE, True
    MISSING = "it does not exist, and its controller does not apply it", NEEDS_CHANGE
    MISSING_APPLIED = "it does not exist, and is applied again", RECOVERS
    READY = "its kind is ready in this state, and more is asked of it", NEEDS_CHANGE
    OUTDATED = "its controller has yet to see its last change", RECOVERS
    STUCK = "its kind leaves this state when somebody acts", NEEDS_CHANGE
    LASTING_ERROR = "it is tried again after an error that lasts", NEEDS_CHANGE
    LASTING_REASON = "its pods, or what it made or names, have a reason that lasts", NEEDS_CHANGE
    PASSING_REASON = "it is of a built-in kind, and its pods have a reason that passes", RECOVERS
    UNCLEAR_REASON = "it is of a built-in kind, and its pods have a reason that may pass", UNKNOWN
    PASSING_ERROR = "it is tried again after an error that passes", RECOVERS
    NEW = "it has no status, for less than five minutes", RECOVERS
    SILENT = "it has no status, for longer", UNKNOWN
    PASSING_STATE = "its kind leaves this state by itself", RECOVERS
    UNKNOWN_STATE = "the catalogue has neither this state nor another that tells", UNKNOWN
    UNREAD = "it is in another cluster, or was not read", UNKNOWN

    def __init__(self, state: str, outlook: Outlook, final: bool = False) -> None:
        self.state = state
        self.outlook = outlook
        self.final = final


POD_RULES = {
    rule.outlook: rule
    for rule in (
        OutlookRule.LASTING_REASON,
        OutlookRule.PASSING_REASON,
        OutlookRule.UNCLEAR_REASON,
    )
}
"""The rule for each outlook of a reason of pods."""

PODS_FIRST = (
    OutlookRule.PASSING_ERROR,
    OutlookRule.NEW,
    OutlookRule.SILENT,
    OutlookRule.PASSING_STATE,
    OutlookRule.UNKNOWN_STATE,
)
"""The rules that come after those for pods."""
