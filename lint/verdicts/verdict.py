"""A controller's verdict on an object, in its own words, with the reason."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from celvet.lint.model import Path, Span
from celvet.record import record

End: TypeAlias = Literal["", "succeeded", "failed", "timed out"]
"""How a controller's wait for objects ends; empty while it goes on, or without a wait."""

IGNORED = "Ignored"
"""The status of what no controller looks at, which is not a word of theirs."""

VOCABULARIES = (
    (
        *("Current", "InProgress", "Failed", "Terminating", "NotFound", "Unknown", "Stalled"),
        IGNORED,
    ),
    ("True", "False", "Unknown", "Progressing", "Stalled"),
)
"""The statuses of Flux and kstatus, and those of a condition."""

STATUSES = tuple(dict.fromkeys(word for words in VOCABULARIES for word in words))
"""Every status that a verdict can have."""


@record
class Cause:
    """The text of the declaration that decided: where it is, and which part of it.

    `path` leads from the root of the declaration to the text; `span` is the
    part of the text that decided, None for all of it.
    """

    path: Path
    span: Span | None = None


@record(kw_only=True)
class Verdict:
    """One answer of a controller.

    `status` is the controller's own word: `Current`, `InProgress`, `Failed`,
    `Terminating`, `Unknown` of Flux and kstatus; `True`, `False`, `Unknown`,
    `Progressing` of a condition. `reason` and `message` are what it writes
    beside it. `error` is the text of an evaluation error; the status is then
    what the controller makes of one. `since` is when the status became this,
    where the controller decides by it. `end` is how its wait ends with this verdict.
    """

    status: str
    reason: str = ""
    message: str = ""
    error: str = ""
    cause: Cause | None = None
    since: datetime | None = None
    end: End = ""
