"""The size of a value: total bytes, number of elements, and size of each element.

Bytes are those of the engine's memory: `CELL` for each value, plus the UTF-8 of a string, plus the
content of a list or map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from types import NoneType
from typing import Any

from celvet.record import record

CELL = 32
"""Bytes of a value without its content."""

CHARACTER = 4
"""The most bytes of a character."""

_NUMBER = 400
"""Characters that a number, a time or a type takes when it is printed, and more."""


PLAIN = (int, float, NoneType)
"""Values without parts; tested first, because testing for a `Mapping` is slow."""


@record
class SizeBound:
    """Upper bounds for a value that an expression made; `any_element` bounds its elements.

    `texts` bounds all texts in it together, if that is less than their cells suggest.
    """

    bytes: int = CELL
    count: int = 0
    any_element: SizeBound | None = None
    texts: int | None = None

    @property
    def text(self) -> int:
        """Bytes of UTF-8 of the value and its content; at least its number of characters."""
        return self.bytes - CELL if self.texts is None else self.texts

    @property
    def printed(self) -> int:
        """Bytes of the value as `format` prints it, with escapes."""
        if self.count:
            return 4 * self.bytes + _NUMBER * (self.bytes // CELL)
        return 4 * self.text + _NUMBER

    def field(self, name: str) -> SizeBound:
        """The bounds of the value under a key."""
        return self.element()

    def element(self) -> SizeBound:
        """The bounds of any element, key or value."""
        return self.any_element or SCALAR


SCALAR = SizeBound()
"""A number, a bool, a time, null."""


@record
class UnknownSize(SizeBound):
    """The bounds of a variable of which only the size is known, or assumed.

    An element is at most `1 / share` of the whole: with 1 that is certain, with more it is an
    assumption.
    """

    share: int = 1

    def field(self, name: str) -> SizeBound:
        """Any value in it may be as large as the whole; names are short if sizes are assumed."""
        if self.share > 1 and name == "metadata":
            return MetadataSize(self.bytes, self.count, share=self.share)
        return self

    def element(self) -> SizeBound:
        """The bounds of an element."""
        return unknown_size(max(self.bytes // self.share, 2 * CELL), self.share)


class MetadataSize(UnknownSize):
    """The metadata of an object, whose names and labels the API server keeps short."""

    def field(self, name: str) -> SizeBound:
        """The bounds of a field."""
        if name == "labels":
            return SizeBound(self.bytes, self.count, SizeBound(CELL + LABEL))
        if name in SHORT:
            return SizeBound(CELL + SHORT[name])
        return unknown_size(self.bytes, self.share)


LABEL = 63
SHORT = {"generateName": 253, "name": 253, "namespace": 63, "uid": 36}
"""Bytes at most: `k8s.io/apimachinery/pkg/util/validation` v0.36."""

SIZED_FIELDS = frozenset({"metadata", "labels", *SHORT})
"""Fields whose names say how large a value is."""


def unknown_size(size: int, share: int = 1) -> UnknownSize:
    """Any value of `size` bytes; a list has as many elements as fit, but at most `share`."""
    count = size // CELL
    return UnknownSize(size, count if share == 1 else min(count, share), share=share)


@record
class KnownSize(SizeBound):
    """The bounds of one of several known values."""

    values: tuple[Any, ...] = ()

    def field(self, name: str) -> SizeBound:
        """The bounds of the values under a key."""
        maps = (value for value in self.values if isinstance(value, Mapping))
        return known_size(value[name] for value in maps if name in value)

    def element(self) -> SizeBound:
        """The bounds of any element of any of them."""
        return known_size(part for value in self.values for part in parts_of(value))


def known_size(values: Iterable[Any]) -> KnownSize:
    """The bounds of any of the values."""
    known_values = tuple(values)
    sizes = [measure(value) for value in known_values]
    counts = (len(value) for value in known_values if isinstance(value, (Mapping, list)))
    return KnownSize(max(sizes, default=CELL), max(counts, default=0), values=known_values)


def measure(value: Any, most: int | None = None) -> int:
    """The bytes of a plain value; counting stops soon after `most`."""
    texts, parts = 0, [value]
    for part in parts:  # grows while it is walked
        if isinstance(part, str):
            texts += len(part) if part.isascii() else 4 * len(part)
        elif isinstance(part, bytes):
            texts += len(part)
        elif not isinstance(part, PLAIN):
            parts += parts_of(part)
            if most is not None and texts + CELL * len(parts) > most:
                break
    return texts + CELL * len(parts)


def parts_of(value: Any) -> Iterable[Any]:
    """The keys and values of a mapping, the items of a list."""
    if isinstance(value, (dict, Mapping)):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def join(extents: Iterable[SizeBound]) -> SizeBound:
    """The bounds of a value that is one of several."""
    return reduce(_wider, extents, SCALAR)


def _wider(one: SizeBound, other: SizeBound) -> SizeBound:
    if SCALAR in (one, other):
        return other if one == SCALAR else one
    if isinstance(one, KnownSize) and isinstance(other, KnownSize):
        return known_size((*one.values, *other.values))
    if isinstance(one, UnknownSize) and isinstance(other, UnknownSize):
        return unknown_size(max(one.bytes, other.bytes), min(one.share, other.share))
    if type(one) is not SizeBound or type(other) is not SizeBound:
        return unknown_size(max(one.bytes, other.bytes))
    element = join([one.element(), other.element()]) if one.count or other.count else None
    texts = max(one.text, other.text)
    return SizeBound(max(one.bytes, other.bytes), max(one.count, other.count), element, texts)
