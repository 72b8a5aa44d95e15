"""Bounds a value's total size over all rounds of the loops around it.

The elements of a list are disjoint parts of it: in all rounds together a loop's
variable is no larger than the list, however large a single element may be.
So loops that follow the nesting of an object share its size, and only loops
that read again what is around them multiply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from celvet.lint.cel.cost.size import CELL, SizeBound
from celvet.record import record

HUGE = 2**100
"""Sizes are cut here, far above any limit."""

Rounds: TypeAlias = tuple[int, ...]
"""The most times that a place is reached: in the whole evaluation, in one round of the
outermost loop around it, and so on; in one round of the innermost loop it is once."""

ONCE: Rounds = (1,)
"""Outside of all loops."""


@record
class LoopSizes:
    """The values of a place: the bounds of each, and the bytes of all that a loop's round sees.

    `totals` are bytes, summed as `Rounds` count: in the whole evaluation, in one
    round of the outermost loop around the place, and so on.
    """

    extent: SizeBound
    totals: tuple[int, ...]

    def at(self, rounds: Rounds) -> LoopSizes:
        """The same values at a place within more loops, where they are read again and again."""
        own = len(self.totals) - 1
        again = [min(total * rounds[own], HUGE) for total in self.totals]
        return within(self.extent, rounds, again)

    def element(self) -> LoopSizes:
        """The loop's variable in one round; all rounds share the size of the list."""
        element = self.extent.element()
        return LoopSizes(element, (*self.totals, element.bytes))

    def rounds(self, around: Rounds, limit: int) -> Rounds:
        """How often the body of a loop over the values is reached, at most `limit`."""
        count = self.extent.count
        each = zip(around, self.totals, strict=True)
        return (*(min(times * count, total // CELL, limit) for times, total in each), 1)


def repeated(extent: SizeBound, rounds: Rounds) -> LoopSizes:
    """Values that are made whenever the place is reached."""
    return within(extent, rounds, ())


def within(extent: SizeBound, rounds: Rounds, totals: Iterable[int]) -> LoopSizes:
    """Values that are together no larger than some others; `totals` are those of the others.

    Of loops that are further in than the others nothing is known but the rounds.
    """
    bounds = [min(times * extent.bytes, HUGE) for times in rounds]
    for index, total in enumerate(totals):
        bounds[index] = min(bounds[index], total)
    return LoopSizes(extent, tuple(bounds))


def together(parts: Sequence[LoopSizes], rounds: Rounds, own: int = 0) -> list[int]:
    """The totals of several values at one place, with `own` bytes besides in each round."""
    return [
        times * own + sum(part.totals[level] for part in parts)
        for level, times in enumerate(rounds)
    ]
