"""Lines and columns as editors count them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.locate import LineRange, Lines
from celvet.lint.model import Span

_TEXTS = st.text("ab\n\r\x85\u2028𝄞", max_size=20)


@given(_TEXTS, st.integers(0, 20), st.integers(0, 20))
def test_a_naive_count_agrees(text: str, one: int, other: int) -> None:
    start, end = sorted(min(at, len(text)) for at in (one, other))
    place = Lines(text).place(Span(start, end))
    for offset, found in (
        (start, (place.line, place.column)),
        (end, (place.end_line, place.end_column)),
    ):
        between = text[offset - 1 : offset + 1] == "\r\n"
        before = re.split("\r\n|\r|\n", text[: offset - between])
        assert found == (len(before), len(before[-1]) + 1 + between)


@given(_TEXTS)
def test_lines_are_those_of_the_text(text: str) -> None:
    lines = Lines(text)
    expected = re.split("\r\n|\r|\n", text)
    assert [lines.text(number) for number in range(1, len(expected) + 1)] == expected


def test_offsets_outside_are_clamped() -> None:
    assert Lines("ab\nc").place(Span(-5, 99)) == LineRange(1, 1, 2, 2)
