"""The outcome of an evaluation."""

from __future__ import annotations

from typing import Any

from celvet.record import record


@record
class Outcome:
    """A value, or an error.

    `value` is plain: None, bool, int, float, str, bytes, datetime, timedelta, and lists and dicts
    of these; a type and an optional appear as their text. `error` is cel-go's text, without the
    preamble that the controller puts before it. With `analysed` False, celvet did not evaluate the
    expression: `error` gives the reason, and nothing is known of the controller's answer.
    """

    value: Any = None
    error: str = ""
    analysed: bool = True

    def boolean(self) -> Outcome:
        """The outcome if the controller demands a bool: any other value is an error."""
        if self.error or isinstance(self.value, bool):
            return self
        return Outcome(error="failed to evaluate CEL expression as boolean")


def not_evaluated(limit: str) -> Outcome:
    """The outcome of an expression that is not evaluated, for the reason `limit`."""
    return Outcome(error=f"not evaluated: {limit}", analysed=False)


NESTED = "the expression is nested deeper than celvet reads"
BEYOND = not_evaluated(NESTED)
"""The engine's limit on nesting, or a similar one, prevents an evaluation."""

KEYS = not_evaluated("a map in it has duplicate keys, or keys that only cel-go allows")
"""An error in the engine; cel-go takes the last of two equal keys, and keys of any type."""

LOCAL = not_evaluated("the time zone of the controller is not known")
"""`Local`, which the engine does not know."""

NUL = not_evaluated("a string contains a NUL character")
"""The binding reads strings only up to their first NUL."""

BYTES = not_evaluated("`format` prints bytes that are no text in UTF-8")
"""The binding ends the process on a text that is none."""

TIMES = not_evaluated("`json.encode` prints times in a list or map that is no literal")
"""The binding passes them to our function only to the microsecond."""

SEARCH = not_evaluated("a regular expression takes too long on these values")
"""A search of ours took more steps than it may."""

TOO_MANY_ITERATIONS = not_evaluated("its loops take more than 10,000 iterations on these values")
"""The engine stopped at its limit on iterations."""
