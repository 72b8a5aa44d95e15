"""What an evaluation gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value; or, where `error` is not empty, none.

    `value` is plain: None, bool, int, float, str, bytes, datetime, timedelta, and
    lists and dicts of these; a type and an optional stand as their text. `error`
    is cel-go's text, without the preamble that the controller puts before it.
    Where `analysed` is False the limits of this program kept it from an answer,
    and `error` says which and nothing about the controller.
    """

    value: Any = None
    error: str = ""
    analysed: bool = True

    def boolean(self) -> Outcome:
        """The outcome where the controller demands a bool: any other value is an error."""
        if self.error or isinstance(self.value, bool):
            return self
        return Outcome(error="failed to evaluate CEL expression as boolean")


def beyond(limit: str) -> Outcome:
    """No answer, for `limit`."""
    return Outcome(error=f"not evaluated: {limit}", analysed=False)


BEYOND = beyond("the expression is nested deeper than celvet reads")
"""No answer for the engine's limit on nesting, or for one of its like."""

TOO_MANY_ITERATIONS = beyond("its loops take more than 10,000 iterations on these values")
"""No answer for the engine's limit on iterations."""
