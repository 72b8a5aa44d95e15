"""Bounds a value's total size over all rounds of the loops around it.

The elements of a list are disjoint parts of it: over all rounds together, a loop's variable is no
larger than the list, however large a single element may be. So loops that follow the nesting of an
object share its size; only loops that read an outer value again multiply the cost.
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

Total: TypeAlias = tuple[int, int]
"""Bytes of several values together, and of the texts alone in them.

The parts of a text are no longer than the text, however many cells they take.
"""


@record
class LoopSizes:
    """The values at a place: the bounds of each, and of all values in a round of a loop.

    `totals` are summed as `Rounds` count: in the whole evaluation, in one
    round of the outermost loop around the place, and so on.
    """

    extent: SizeBound
    totals: tuple[Total, ...]

    def at(self, rounds: Rounds) -> LoopSizes:
        """These values at a place within further loops, where they are read repeatedly."""
        times = rounds[len(self.totals) - 1]
        again = [(size * times, text * times) for size, text in self.totals]
        return sizes_within(self.extent, rounds, again)

    def element(self) -> LoopSizes:
        """The loop's variable in one round; all rounds share the size of the list."""
        element = self.extent.element()
        return LoopSizes(element, (*self.totals, (element.bytes, element.text)))

    def rounds(self, around: Rounds, limit: int) -> Rounds:
        """How often the body of a loop over the values is reached, at most `limit`."""
        count = self.extent.count
        return (
            *(
                min(times * count, size // CELL, limit)
                for times, (size, _) in zip(around, self.totals, strict=True)
            ),
            1,
        )

    def summed(self, level: int) -> SizeBound:
        """The bounds of one value as large as all of them."""
        size, text = self.totals[level]
        count = self.extent.count
        element = self.extent.element() if count else None
        return SizeBound(size, size // CELL if count else 0, element, text)


def sizes_per_round(extent: SizeBound, rounds: Rounds) -> LoopSizes:
    """Values that are made whenever the place is reached."""
    return sizes_within(extent, rounds, ())


def sizes_within(extent: SizeBound, rounds: Rounds, totals: Iterable[Total]) -> LoopSizes:
    """Values that are together no larger than other ones, whose totals are `totals`.

    For loops further in than the others, only the rounds are known.
    """
    size, text = extent.bytes, extent.text
    bounds = [(min(times * size, HUGE), min(times * text, HUGE)) for times in rounds]
    for index, (most, most_text) in enumerate(totals):
        size, text = bounds[index]
        bounds[index] = (min(size, most), min(text, most_text))
    return LoopSizes(extent, tuple(bounds))


def summed_totals(parts: Sequence[LoopSizes], rounds: Rounds, own: int = 0) -> list[Total]:
    """The totals of several values at one place, plus `own` bytes in each round."""
    return [
        (
            times * own + sum(part.totals[level][0] for part in parts),
            sum(part.totals[level][1] for part in parts),
        )
        for level, times in enumerate(rounds)
    ]
