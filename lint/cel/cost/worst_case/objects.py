"""Objects of a given size that fit the shapes of an expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from celvet.lint.cel.cost.size import LABEL, SHORT
from celvet.lint.cel.cost.worst_case.shapes import Shape
from celvet.lint.cel.cost.worst_case.values import (
    ALTERNATIVES,
    Entries,
    Group,
    Items,
    Text,
    items,
    made,
    text,
)
from celvet.record import record
from celvet.regex import regex

_LENGTH = 40
"""Characters of the sample of a long text."""

_LAST = 4
"""The last group of elements that differ from each other."""

_KEYS = ("example.com/" + "k" * 46, "a" * 253 + "/" + "a" * 58, "a." * 29)
"""Names of labels and annotations, without their ends."""

_NAME = 253
_NAMED = regex(r"[a-z0-9.-]+")
"""What a name consists of, and its most characters."""

_REPEATED = ".{1,1000}" * 4 + "b"
"""A pattern that can stop at any character of a text, with an end that the text lacks."""

_PATTERN = 14_400
"""Bytes of about the longest pattern that Go takes."""

_MOST_ELEMENTS = 45_000
"""About as many small elements as fit into the largest object."""

_WEIGHTS = (1, 2)
"""Shares of the object that large texts take, relative to each other."""

Choice = Mapping["Slot", int]


@record
class Place:
    """Where a value stands in its lists.

    It is in a group of the innermost one. There are `times` as many like it, of all `elements`, of
    which it may be the `first` or the `last`.
    """

    group: int = 0
    elements: int = 1
    times: int = 1
    first: bool = True
    last: bool = True

    def inner(self, count: int) -> Iterator[Place]:
        """The places of a list of some elements."""
        for group, times in _spread(count):
            yield Place(
                group,
                count * self.elements,
                times * self.times,
                self.first and group == 0,
                self.last and group == _LAST,
            )


@record
class Filling:
    """A way to fill a text: its sample, and which elements of a list have it.

    A `large` one takes a share of the object: each element has as much as the others, also if they
    `differ`, or the `first` has all of it, or the `last` half of it, or all but
    a character (`lone`); `mixed` ones have a pattern
    first, and then texts for it.
    """

    sample: str
    large: bool = True
    spread: str = "equal"
    most: int = 2**30

    def at(self, place: Place, share: int) -> Text:
        """The text at a place, with a share of the object for all places."""
        if not self.large:
            differs = self.spread == "differ"
            return text(self.sample + str(place.group) if differs else self.sample)
        if self.spread == "mixed" and not place.first:
            return Filling("a", spread="last").at(place, share)
        if self.spread == "lone" and not place.last:
            return text(self.sample[-1:])
        if self.spread in ("first", "last", "lone", "mixed"):
            size = self._uneven(place, share)
            tail = "b" if self.sample[-1:] == "a" else ""
        else:
            size = share // place.elements
            tail = str(place.group) if self.spread == "differ" else ""
        size = min(size, self.most)
        if size <= _LENGTH:
            return text(((self.sample * size)[: max(size - len(tail), 0)] + tail)[:size])
        length = max(len(self.sample), _LENGTH)
        repeated = (self.sample * length)[: length - len(tail)] + tail
        return made(repeated, size)

    def _uneven(self, place: Place, share: int) -> int:
        """The first element has all, or the last one half."""
        if self.spread == "lone":
            return share
        if self.spread != "last":
            return share if place.first else 0
        return share // 2 // (1 if place.last else place.elements)


@record(eq=False)
class Slot:
    """A part of the object of which there are several versions."""

    options: Sequence[Any]
    weight: Slot | None = None


class Objects:
    """All objects that fit the shapes of the variables."""

    def __init__(
        self, variables: Mapping[str, Shape], hints: Sequence[str], size: int, elements: int
    ) -> None:
        self._hints = hints
        self._size = size
        self._elements = elements
        self._slots: dict[Shape, Slot] = {}
        self._variables = variables
        for name, shape in variables.items():
            self._prepare(shape, name)

    @property
    def slots(self) -> Sequence[Slot]:
        """What may be chosen."""
        slots = [*self._slots.values()]
        return [*slots, *(slot.weight for slot in slots if slot.weight)]

    @property
    def lists(self) -> Sequence[Slot]:
        """The numbers of elements that may be chosen; the last two are one and none."""
        return [slot for slot in self._slots.values() if not slot.weight]

    def made(self, choice: Choice) -> Mapping[str, Any] | None:
        """The variables of one choice; None if the object is too large."""
        return _Builder(self._slots, choice, self._size).variables(self._variables)

    def _prepare(self, shape: Shape, name: str, looped: bool = False, most: int = 2**30) -> None:
        if shape in self._slots:
            return
        looped_names = name in ("labels", "annotations") and "list" in shape.uses
        if looped_names or "keyed" in shape.uses:
            named = [(self._elements, key) for key in _KEYS]
            self._slots[shape] = Slot([*named, (1, _KEYS[0]), (0, _KEYS[0])])
            value_most = LABEL if name == "labels" else 2**30
            value = shape.field("")
            self._prepare(value, "", True, value_most)
            for key, each in shape.fields.items():
                if key:
                    self._prepare(each, key, looped, value_most)
        elif "list" in shape.uses:
            few = self._elements // 25
            # an inner list shares the elements with the outer one
            counts = (few, self._elements) if looped else (self._elements, few)
            self._slots[shape] = Slot([*counts, 1, 0])
            self._prepare(shape.element, "", True)
        elif shape.fields:
            for key, each in shape.fields.items():
                limit = LABEL if name == "labels" else most
                limit = SHORT.get(key, limit) if name == "metadata" else limit
                self._prepare(each, key, looped, limit)
        else:
            options = _options(shape, self._hints, looped, most)
            self._slots[shape] = Slot(options, Slot(_WEIGHTS))


def _options(shape: Shape, hints: Sequence[str], looped: bool, most: int) -> list[Any]:
    found = _present(shape, hints, looped, most)
    return [*found, None] if "optional" in shape.uses else found


def _present(shape: Shape, hints: Sequence[str], looped: bool, most: int) -> list[Any]:
    if "bool" in shape.uses and "text" not in shape.uses:
        return [True, False]
    numbers = [value for value in shape.literals if type(value) is int]
    if "number" in shape.uses and "text" not in shape.uses:
        around = [value + step for value in numbers for step in (0, 1, -1)]
        return [0, *around]
    if "sized" in shape.uses and "text" not in shape.uses:
        return [
            Items(()),
            Items((Group(0, 3),)),
            *(Items((Group(0, n),)) for n in numbers if n > 0),
        ]
    if most <= _NAME:
        hints = [fill for fill in hints if _NAMED.fullmatch(fill)]
    spreads = ("equal", "differ", "first", "last", "lone") if looped else ("equal", "first")
    fills = [Filling(fill, True, spread, most) for fill in hints for spread in spreads]
    if most > _NAME:
        fills += [Filling(_REPEATED, True, each, _PATTERN) for each in ("equal", "first", "mixed")]
        fills += [Filling(ALTERNATIVES, True, each, most) for each in ("equal", "first")]
    literals = [value for value in shape.literals if isinstance(value, str)]
    small = [Filling(fill, False) for fill in dict.fromkeys(["a", "", "a" * 60, *literals])]
    if looped:
        small.append(Filling("", False, "differ"))
    return [*fills, *small]


class _Builder:
    """Builds the variables of one choice."""

    def __init__(self, slots: Mapping[Shape, Slot], choice: Choice, size: int) -> None:
        self._slots = slots
        self._choice = choice
        self._size = size
        self._weights = sum(self._weight(slot) for slot in slots.values())
        self._count = 0

    def _option(self, slot: Slot) -> Any:
        return slot.options[self._choice[slot]]

    def _weight(self, slot: Slot) -> int:
        option = self._option(slot)
        large = slot.weight and isinstance(option, Filling) and option.large
        return self._option(slot.weight) if slot.weight and large else 0

    def variables(self, shapes: Mapping[str, Shape]) -> Mapping[str, Any] | None:
        found = {name: self._value(shape, Place()) for name, shape in shapes.items()}
        return None if self._count > _MOST_ELEMENTS else found

    def _value(self, shape: Shape, place: Place) -> Any:
        slot = self._slots.get(shape)
        if slot is None:
            held = {name: self._value(each, place) for name, each in shape.fields.items()}
            return Entries({key: Group(each, 1) for key, each in held.items() if each is not None})
        option = self._option(slot)
        if not slot.weight:
            return self._listed(shape, option, place)
        if not isinstance(option, Filling):
            return option
        return option.at(place, self._size * self._weight(slot) // max(self._weights, 1))

    def _listed(self, shape: Shape, option: Any, place: Place) -> Any:
        count, key = option if isinstance(option, tuple) else (option, "")
        self._count += count * place.times
        places = [(each, each.times // place.times) for each in place.inner(count)]
        if "keyed" in shape.uses or "" in shape.fields:
            held = {
                f"{key}{each.group}": Group(self._value(shape.field(""), each), times)
                for each, times in places
            }
            for name, named in shape.fields.items():
                if name:
                    held[name] = Group(self._value(named, place), 1)
            return Entries({name: group for name, group in held.items() if group.value is not None})
        return items(Group(self._value(shape.element, each), times) for each, times in places)


def _spread(count: int) -> Iterator[tuple[int, int]]:
    """Groups of elements, the first and last of which have one."""
    if count == 0:
        return
    yield 0, 1
    rest = count - 2
    for group in range(1, _LAST):
        times = max(rest, 0) // (_LAST - group)
        rest -= times
        if times:
            yield group, times
    if count > 1:
        yield _LAST, 1
