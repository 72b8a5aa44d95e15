"""The steps of a search, and whether it was complete."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Value

_STEPS = 4_000
"""The most goals of one search; real expressions need a few dozen."""


class Progress:
    """Counts the steps of one search; `complete` is False once something was not tried.

    While `mending`, a value that already fits is kept.
    """

    def __init__(self, *, complete: bool) -> None:
        self.complete = complete
        self.mending = False
        self._left = _STEPS

    def step(self) -> bool:
        """Count a step; False if none is left."""
        self._left -= 1
        self.only_if(self._left >= 0)
        return self._left >= 0

    def only_if(self, thorough: bool) -> None:
        """The search stays complete only if the next values represent all values."""
        self.complete = self.complete and thorough

    def guess(self, obj: Value) -> Iterator[Value]:
        """Try the object unchanged, for lack of a better one; the search is then incomplete."""
        self.complete = False
        yield obj
