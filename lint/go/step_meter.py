"""Where code that mirrors a Go program stops before Go does."""

from __future__ import annotations


class LimitError(Exception):
    """It needs more than celvet allows; the text says what."""


class UnsupportedError(Exception):
    """celvet does not know what Go would answer; the text says about what."""


class StepMeter:
    """Counts steps, and stops with a `LimitError` that names `subject` after the last allowed."""

    __slots__ = ("_most", "_subject", "steps")

    def __init__(self, subject: str, most: int) -> None:
        self._subject = subject
        self._most = most
        self.steps = 0

    def spend(self, steps: int = 1) -> None:
        """Count steps; raises `LimitError` after the last allowed one."""
        self.steps += steps
        if self.steps > self._most:
            raise LimitError(f"{self._subject} takes more than {self._most} steps")
