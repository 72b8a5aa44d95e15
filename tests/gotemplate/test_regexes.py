"""Regular expressions as Go matches them, in templates."""

from __future__ import annotations

import pytest

from celvet.lint.gotemplate import parse


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("(?i)s", "S", True),
        ("(?i)s", "\u017f", True),
        ("(?i)\u017f", "s", True),
        ("(?i)k", "\u212a", True),
        ("(?i)[r-t]", "\u017f", True),
        ("(?i)s", "x", False),
        ("(?i)k", "x", False),
        ("s", "\u017f", False),
    ],
)
def test_case_is_folded_as_in_unicode(pattern: str, text: str, matches: bool) -> None:
    template = f'<< regexMatch "{pattern}" "{text}" >>'
    assert parse(template).execute({}).text == str(matches).lower()
