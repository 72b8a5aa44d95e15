"""The values worth trying at a place, and how CEL compares them.

If a place is only compared with constants, these represent all values: each constant, values
between and next to them, and one value of each other type.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from celvet.lint.cel.syntax.vocabulary import COMPARISONS
from celvet.lint.model import Path, Value
from celvet.lint.predict.reads.field_names import (
    CONDITION_STATUSES,
    follows_conventions,
    is_conditions,
    is_counter,
)
from celvet.lint.predict.reads.reading import Field, Reading
from celvet.lint.predict.reads.terms import Steps, without_indices
from celvet.lint.predict.states.api_conventions import is_json
from celvet.lint.values import ABSENT

_LAST_INTEGER = 2**63 - 1
_FIRST_TEXT = ""
_ENDINGS = ("x", "0", " ", "\x01")
"""Suffixes that make a text sort later; the last one avoids NUL, which sometimes ends a string."""

_SIZES = 64
"""Strings and lists of this size or larger are not tried."""

_OTHER = "Other"
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    **COMPARISONS,
    "contains": lambda text, part: part in text,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
}


def compares(name: str, left: Value, right: Value) -> bool:
    """Whether a relation holds between two values in CEL; False if it is an error."""
    if _kind(left) != _kind(right):
        return name == "_!=_"
    try:
        return bool(_OPERATORS[name](left, right))
    except TypeError:
        return False


def _kind(value: Value) -> type:
    return float if type(value) is int else type(value)


class Candidates:
    """The values to try, given those that expressions compare the fields with."""

    def __init__(self, reading: Reading) -> None:
        self._fields = reading.fields
        self._lists = frozenset(reading.lists)
        self._values: dict[tuple[Steps, str], list[Value]] = {}
        self._objects = {path[:depth] for path in reading.fields for depth in range(len(path))}

    def of(self, place: Path, further_value: Value) -> list[Value]:
        """Values for a place; first those it is compared with, of which `further_value` is one."""
        path = without_indices(place)
        key = (path, repr(further_value))
        if key not in self._values:
            self._values[key] = self._of(path, further_value)
        return self._values[key]

    def _of(self, path: Steps, further_value: Value) -> list[Value]:
        values = [*([] if further_value is None else [further_value]), *self._literals(path)]
        if path[-1:] == ("status",) and is_conditions(path[:-2]):
            values += CONDITION_STATUSES
        if path in self._lists or is_conditions(path):
            return [[], [{}], *values]
        if path in self._objects:
            return [{}, *values]
        candidates = [*values, *(neighbour for value in values for neighbour in _neighbours(value))]
        candidates += [*_gaps(values), _new_text(values), 1, True, False, None]
        return [value for value in _without_repeats(candidates) if self.allows(path, value)]

    def allows(self, place: Steps, value: Value) -> bool:
        """Whether an object may have the value there, by JSON and the conventions of the API."""
        return is_json(value) and follows_conventions(without_indices(place), value)

    def peers(self, left: Steps, right: Steps) -> list[Value]:
        """Values for a field that is compared with another one."""
        paths = [without_indices(left), without_indices(right)]
        values = [value for path in paths for value in self._literals(path)]
        texts = [_new_text(values), _new_text([*values, _OTHER])]
        # Numbers first for what counts, texts first for all else: the first value that fits becomes
        # the example that a reader sees.
        is_number = any(is_counter(path) or path[-1] == "generation" for path in paths)
        candidates = [*values, *([2, 1, *texts] if is_number else [*texts, 2, 1]), True, False]
        candidates += [
            *(neighbour for value in values for neighbour in _neighbours(value)),
            *_gaps(values),
        ]
        return [
            value
            for value in _without_repeats(candidates)
            if all(follows_conventions(p, value) for p in paths)
        ]

    def is_ordered(self, place: Steps) -> bool:
        """Whether a field, or one that it is compared with, is compared with `<` or `>`."""
        return any(field.ordered for field in self._linked_fields(without_indices(place)))

    def _literals(self, path: Steps) -> list[Value]:
        """The values that a field and then its peers are compared with: they may have to agree."""
        return [value for field in self._linked_fields(path) for value in field.values]

    def _linked_fields(self, path: Steps) -> list[Field]:
        """A field and all fields linked to it by comparisons."""
        pending = [path]
        for steps in pending:
            peers = dict.fromkeys(self._fields[steps].peers if steps in self._fields else ())
            pending += [peer for peer in peers if peer not in pending]
        return [self._fields[steps] for steps in pending if steps in self._fields]

    def values_of_size(self, place: Path, value: Value, limit: Value) -> Iterator[Value]:
        """Texts and lists about as long as the number that a size is compared with.

        `value` is the present one at the place.
        """
        if not isinstance(limit, int) or isinstance(limit, bool):
            return
        if isinstance(value, list | str):
            yield value
        for size in (limit, limit + 1, limit - 1, 1, 0):
            if 0 <= size <= _SIZES:
                if not isinstance(value, str):
                    items = value if isinstance(value, list) else []
                    yield [*items[:size], *({} for _ in range(size - len(items)))]
                if without_indices(place) not in self._lists and not isinstance(value, list):
                    yield "x" * size

    def containers(self, container: Value, item: Value, *, has_item: bool) -> Iterator[Value]:
        """Lists and maps with or without the item as an element or key."""
        if isinstance(container, dict):
            entries = {key: value for key, value in container.items() if key != item}
            yield {**entries, item: _OTHER} if has_item and isinstance(item, str) else entries
        elif isinstance(container, list):
            items = [element for element in container if element != item]
            yield [*items, item] if has_item else items
        else:
            if isinstance(item, str):
                yield {item: _OTHER} if has_item else {}
            yield [item] if has_item else []


def invert_conversions(value: Value, through: tuple[str, ...]) -> Value:
    """A value that the conversions turn into `value`; `ABSENT` if none is known."""
    for name in reversed(through):
        value = _INVERSES[name](value)
    return value


def _base64_text(value: Value) -> Value:
    if isinstance(value, str):
        value = value.encode("utf-8", "replace")
    return base64.b64encode(value).decode() if isinstance(value, bytes) else ABSENT


def _number_text(value: Value) -> Value:
    return value if type(value) in (int, float) else ABSENT


def _text(value: Value) -> Value:
    return value if isinstance(value, str) else ABSENT


_INVERSES: dict[str, Callable[[Value], Value]] = {
    "base64.decode": _base64_text,
    "double": _number_text,
    "dyn": lambda value: value,
    "int": _number_text,
    "lowerAscii": _text,
    "string": _text,
    "trim": _text,
    "uint": _number_text,
    "upperAscii": _text,
}


def _neighbours(value: Value) -> list[Value]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1, value + 0.5]
    if isinstance(value, str):
        return [f"{value}x", f"x{value}"] if value else ["x"]
    return []


def _new_text(values: list[Value]) -> str:
    """A text that is not among the values."""
    text = _OTHER
    while text in values:
        text += "s"
    return text


def _without_repeats(values: list[Value]) -> list[Value]:
    distinct: list[Value] = []
    for value in values:
        if not any(
            type(earlier_value) is type(value) and earlier_value == value
            for earlier_value in distinct
        ):
            distinct.append(value)
    return distinct


def _gaps(values: Iterable[Value]) -> Iterator[Value]:
    """Boundary values: numbers between the numbers, texts before and between the texts.

    Together with the values themselves, and others before the first and after the last, these
    represent all values of their type, since no comparison distinguishes any others.
    """
    literals = list(values)
    numbers = sorted({literal for literal in literals if _is_number(literal)})
    for low, high in pairwise(numbers):
        yield from _middle(low, high)
    texts = sorted({literal for literal in literals if isinstance(literal, str)})
    if texts:
        yield _FIRST_TEXT
    for text, later in pairwise([_FIRST_TEXT, *texts]):
        successors = (text + ending for ending in _ENDINGS)
        yield from (successor for successor in successors if text < successor < later)


def _is_number(value: Value) -> bool:
    finite = isinstance(value, float) and math.isfinite(value)
    return finite or (type(value) is int and abs(value) <= _LAST_INTEGER)


def _middle(low: float, high: float) -> Iterator[float]:
    """An integer in the middle if there is one, else a fraction."""
    middle = (math.floor(low) + math.ceil(high)) // 2
    if low < middle < high and abs(middle) <= _LAST_INTEGER:
        yield middle
        return
    fraction = low / 2 + high / 2
    if low < fraction < high:
        yield fraction
