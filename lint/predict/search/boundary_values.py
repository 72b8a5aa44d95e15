"""A value out of each gap between values in order, as far as JSON has one there.

With the values themselves, and what lies before the first and after the last,
these stand for all values of their type: no comparison tells others apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise

from celvet.lint.model import Value

_LAST_INTEGER = 2**63 - 1
_FIRST_TEXT = ""
_ENDINGS = ("x", "0", " ", "\x01")
"""What makes a later text of one, the last of them the next but one: NUL ends a text in places."""


def gaps(values: Iterable[Value]) -> Iterator[Value]:
    """Numbers between the numbers, texts before and between the texts."""
    known = list(values)
    numbers = sorted({each for each in known if _is_number(each)})
    for low, high in pairwise(numbers):
        yield from _middle(low, high)
    texts = sorted({each for each in known if isinstance(each, str)})
    if texts:
        yield _FIRST_TEXT
    for first, later in pairwise([_FIRST_TEXT, *texts]):
        after = (first + ending for ending in _ENDINGS)
        yield from (each for each in after if first < each < later)


def _is_number(value: Value) -> bool:
    finite = isinstance(value, float) and math.isfinite(value)
    return finite or (type(value) is int and abs(value) <= _LAST_INTEGER)


def _middle(low: float, high: float) -> Iterator[float]:
    """An integer in the middle where there is one, else a fraction."""
    whole = (math.floor(low) + math.ceil(high)) // 2
    if low < whole < high and abs(whole) <= _LAST_INTEGER:
        yield whole
        return
    fraction = low / 2 + high / 2
    if low < fraction < high:
        yield fraction
