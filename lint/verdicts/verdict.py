"""A controller's verdict on an object, with its own status, reason and message."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from celvet.lint.model import Path, Span
from celvet.record import record

End: TypeAlias = Literal["", "succeeded", "failed", "timed out"]
"""How a controller's wait for objects ends; empty while it goes on, or without a wait."""

IGNORED = "Ignored"
"""The status of objects that no controller checks; this word is not one of theirs."""

VOCABULARIES = (
    ("Current", "InProgress", "Failed", "Terminating", "NotFound", "Unknown", "Stalled", IGNORED),
    ("True", "False", "Unknown", "Progressing", "Stalled"),
    ("SYNCED", "WAITING_FOR_READINESS", "ERROR", "ACTIVE", "IN_PROGRESS"),
)
"""The statuses of Flux and kstatus, those of a condition, and those of a graph or its resources."""

STATUSES = tuple(dict.fromkeys(word for words in VOCABULARIES for word in words))
"""Every status that a verdict can have."""


READY = frozenset({"Current", "True", "SYNCED", "ACTIVE", ""})
"""The statuses of ready objects, in the words of each controller; empty if it gives none."""
SETTLED = READY | {IGNORED}
"""The statuses with which an object holds nothing up."""


@record
class CauseText:
    """The text of the declaration that decided: its place, and which part of it.

    `path` leads from the root of the declaration to the text; `span` is the
    part of the text that decided, None for all of it.
    """

    path: Path
    span: Span | None = None


@record(kw_only=True)
class Verdict:
    """One answer of a controller.

    `status` is the controller's own word: `Current`, `InProgress`, `Failed`, `Terminating`,
    `Unknown` of Flux and kstatus; `True`, `False`, `Unknown`, `Progressing` of a condition.
    `reason` and `message` belong to it. `error` is the text of an evaluation error; the status is
    then the controller's reaction to one. `since` is the time of the last change of the status, if
    the controller uses it. `end` is how its wait ends with this verdict.
    """

    status: str
    reason: str = ""
    message: str = ""
    error: str = ""
    cause: CauseText | None = None
    since: datetime | None = None
    end: End = ""
