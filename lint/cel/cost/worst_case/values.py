"""Values of an object of 1.5 MB, written in a few characters and elements.

A long text has a sample that it repeats, a list has groups of elements that are alike. So an
evaluation takes one step for each group, and its cost is that of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from celvet.lint.cel.cost.size import CELL, SCALAR, SizeBound, join
from celvet.record import record

HUGE = 2**100
"""Sizes are cut here, far above any limit."""

_SAMPLE = 2_000
"""The most characters of a sample."""

ALTERNATIVES = "|"
"""The sample of the pattern that Go takes longest to parse: two alternatives of equal dots."""

_ABSENT = "\uffff"
"""A character that no sample has."""

_MANY = 4
"""A part that a sample has so often is repeated in the whole text."""


@record
class Text:
    """A text of `size` bytes that continues as its sample does."""

    sample: str
    size: int

    @property
    def scale(self) -> float:
        """Bytes for each character of the sample."""
        return self.size / len(self.sample) if self.sample else 1.0

    def counted(self, times: int) -> int:
        """How often the whole text has what the sample has `times`."""
        return round(times * self.scale) if times >= _MANY else times

    def within(self, other: Text) -> str:
        """The characters to look for in the sample of another text, to find this one in that."""
        if not self.sample or (self.size < _MANY * other.scale and self.scale <= 1):
            return self.sample
        if self.size > other.size:
            return _ABSENT
        wanted = max(round(self.size / other.scale), 1)
        spread = (self.sample[index * len(self.sample) // wanted] for index in range(wanted - 1))
        return "".join(spread) + self.sample[-1]


@record
class Group:
    """Elements of a list that are alike, one after the other."""

    value: Any
    times: int


@record
class Items:
    """A list."""

    groups: tuple[Group, ...]

    @property
    def count(self) -> int:
        """The number of elements."""
        return sum(group.times for group in self.groups)


@record
class Entries:
    """A map: the samples of its keys, each for several that are alike."""

    held: Mapping[str, Group]


@record
class Optional:
    """An optional; without a value, `held` is None."""

    held: Any


def text(value: str) -> Text:
    """A short text."""
    return Text(value[:_SAMPLE], len(value.encode()))


def made(sample: str, size: int) -> Text:
    """A text that was made from others."""
    return Text(sample[:_SAMPLE], min(size, HUGE))


def items(groups: Iterable[Group]) -> Items:
    """A list, in which groups of equal elements are one."""
    merged: list[Group] = []
    for group in groups:
        if merged and merged[-1].value == group.value:
            merged[-1] = Group(group.value, merged[-1].times + group.times)
        elif group.times:
            merged.append(group)
    return Items(tuple(merged))


def keys(held: Entries) -> Items:
    """What a loop over a map visits."""
    return Items(tuple(Group(text(key), group.times) for key, group in held.held.items()))


def bound(value: Any) -> SizeBound:
    """The exact size of a value."""
    if isinstance(value, Text):
        return SizeBound(CELL + value.size)
    if isinstance(value, Entries):
        value = Items((*keys(value).groups, *value.held.values()))
    if not isinstance(value, Items):
        return bound(value.held) if isinstance(value, Optional) else SCALAR
    parts = [(bound(group.value), group.times) for group in value.groups]
    size = CELL + sum(each.bytes * times for each, times in parts)
    texts = sum(each.text * times for each, times in parts)
    return SizeBound(size, value.count, join(each for each, _ in parts), texts)
