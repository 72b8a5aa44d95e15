"""How far a search has come."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Value

_STEPS = 4_000
"""Goals that one search takes up; the real expressions known need a few dozen."""


class Progress:
    """Counts the steps of one search; `complete` is False once anything was left untried.

    While `mending` what is there and suits is left as it is.
    """

    def __init__(self, *, complete: bool) -> None:
        self.complete = complete
        self.mending = False
        self._left = _STEPS

    def step(self) -> bool:
        """Whether there is a step left, which is then taken."""
        self._left -= 1
        self.only_if(self._left >= 0)
        return self._left >= 0

    def only_if(self, thorough: bool) -> None:
        """Take note of whether what is tried next stands for all that there is."""
        self.complete = self.complete and thorough

    def guess(self, obj: Value) -> Iterator[Value]:
        """The object as it is, where nothing better is known."""
        self.complete = False
        yield obj
