"""Which elements an index or a slice takes from a list of a given length."""

from __future__ import annotations

from celvet.lint.jsonpath.parse.nodes import Array


class BoundsError(Exception):
    """A bound outside the list, or a step that is not positive; the message is client-go's."""


def indices(length: int, node: Array) -> range:
    """The indices chosen; bounds beyond the list are an error and never cut.

    Raises `BoundsError`.
    """
    start = node.start or 0
    end = length if node.end is None else node.end
    if start < 0:
        start += length
    if end < 0 or (end == 0 and node.single):
        end += length
    if start == end:
        return range(0)
    if not 0 <= start < length:
        raise BoundsError(_outside(start, length))
    if not 0 <= end <= length:
        raise BoundsError(_outside(end - 1, length))
    if start > end:
        raise BoundsError(f"starting index {start} is greater than ending index {end}")
    if node.step is not None and node.step <= 0:
        raise BoundsError("step must be > 0")
    return range(start, end, node.step or 1)


def _outside(index: int, length: int) -> str:
    return f"array index out of bounds: index {index}, length {length}"
