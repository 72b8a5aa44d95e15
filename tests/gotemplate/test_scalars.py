"""Go's YAML writer quotes strings that a reader would take for another type."""

from __future__ import annotations

import pytest

from celvet.lint.gotemplate.formats.scalar_writer import quotes_needed


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("2024-02-29", True),
        ("2023-02-29", False),
        ("0000-02-29", True),
        ("2024-13-01", False),
        ("2024-04-31", False),
        ("2024-01-01 23:59:59", True),
        ("2024-01-01 24:00:00", False),
        ("1:30", True),
        ("text", False),
        ("true", True),
    ],
)
def test_a_text_that_looks_like_a_value(text: str, quoted: bool) -> None:
    assert quotes_needed(text) is quoted
