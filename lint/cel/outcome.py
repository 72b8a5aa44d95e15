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
    Where `analysed` is False the limits of the engine kept it from an answer,
    and `error` says nothing about the controller.
    """

    value: Any = None
    error: str = ""
    analysed: bool = True

    def boolean(self) -> Outcome:
        """The outcome where the controller demands a bool: any other value is an error."""
        if self.error or isinstance(self.value, bool):
            return self
        return Outcome(error="failed to evaluate CEL expression as boolean")


BEYOND = Outcome(error="the expression is beyond the limits of this engine", analysed=False)
"""No answer."""
