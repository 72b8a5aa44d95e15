"""Why a controller refuses an object whose expressions are right each by itself."""

from __future__ import annotations

from celvet.lint.model import Path, Span
from celvet.record import record


@record
class Objection:
    """A clause with the reason, the path of the wrong part, and perhaps a span of its text.

    `by_schema` says that it rests on the schema of a kind, which the cluster may have in another
    version. `consequence` is a clause for an object that the controller does not refuse.
    """

    path: Path
    message: str
    span: Span | None = None
    by_schema: bool = False
    consequence: str = ""
