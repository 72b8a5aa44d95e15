"""Notes on the times of a controller, under a message that says what happens."""

from __future__ import annotations

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Related, Where


def retry_note(checked: CheckedObject, where: Where) -> tuple[Related, ...]:
    """When the controller retries after a failure; none if that is not known."""
    retry = checked.timing.retry_text
    return (Related(f"{checked.controller} retries {retry}", where),) if retry else ()


def timeout_note(checked: CheckedObject, where: Where) -> tuple[Related, ...]:
    """How long the controller waits for an object; none if that is not known."""
    timeout = checked.timing.timeout_text
    text = f"the wait fails at the timeout{timeout}"
    return (Related(text, where),) if timeout else ()
