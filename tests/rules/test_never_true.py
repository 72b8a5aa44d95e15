"""The help fits the reason why no object makes an expression true."""

from __future__ import annotations

import pytest

from celvet.lint.engine import lint_text
from tests.manifests import with_entry


@pytest.mark.parametrize(
    ("current", "advice"),
    [
        ("status.conditions.exists(c, c.type == 1)", "Compare with the string."),
        ("status.observedGeneration == 'x'", "Compare with a number."),
        ("status.phase == b'Ready'", "Write the string without the `b`."),
        ("status.a == 'x' && status.a == 'y'", "Use `||` if either value will do."),
        ("status.a > 3 && status.a < 2", "Leave room for a value between the bounds."),
        ("!has(status.a) && status.a == 'x'", "Remove the comparison that contradicts the others."),
    ],
)
def test_help(current: str, advice: str) -> None:
    found = lint_text(with_entry(current=current)).findings
    assert [each.help for each in found if each.rule == "never-true"] == [advice]
