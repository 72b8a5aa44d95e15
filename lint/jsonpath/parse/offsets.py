"""Maps places in a derived text to places in the original text."""

from __future__ import annotations

from celvet.lint.model import Span
from celvet.record import record


@record
class Offsets:
    """A run `low..high` of an outer text that lies in an inner one, moved by `shift`.

    What the inner text has before and after the run (braces added by a
    controller, say) is placed at the run's ends.
    """

    shift: int
    low: int
    high: int

    def place(self, index: int) -> int:
        """The outer index, in code points, of an inner one."""
        return min(max(index + self.shift, self.low), self.high)

    def span(self, span: Span) -> Span:
        """The outer span of an inner one; empty if it covers only added text."""
        return Span(self.place(span.start), self.place(span.end))

    def within(self, start: int, end: int, at: int) -> Offsets:
        """The offsets of a text further in, which has this one's `start..end` from `at` on."""
        return Offsets(self.shift + start - at, self.place(start), self.place(end))
