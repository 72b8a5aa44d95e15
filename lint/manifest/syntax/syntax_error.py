"""One mistake in the writing of a text."""

from __future__ import annotations

from typing import NamedTuple


class Slip(NamedTuple):
    """What is wrong, what to do, and the range in the text.

    `opened` is the offset of the bracket that is still open there.
    """

    message: str
    help: str
    start: int
    end: int
    opened: int | None = None
