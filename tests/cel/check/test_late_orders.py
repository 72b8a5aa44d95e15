"""Orders of numbers of two types, which cel-go refuses only before the first macro."""

from __future__ import annotations

import pytest

from celvet.lint.cel import compile_expression
from celvet.schemas import load

_STRICT = load().dialects["sveltos-rule"]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("1u > 63", False),
        ("[1u].exists(x, x > 63)", True),
        ("[1u > 1].all(x, x)", False),
        ("1u > 63 && [1].all(x, x < 2.0)", False),
        ("[1].all(x, x < 2.0) && 1u > 63", True),
        ("resource.items.filter(x, x.a).size() > 1.0", True),
        ("has(resource.a) && 1u > 63", False),
        ("[1].all(x, 'a' < 1)", False),
    ],
)
def test_orders_after_a_macro(text: str, accepted: bool) -> None:
    assert (not compile_expression(text, _STRICT).refusals) is accepted


def test_orders_in_a_macro_of_two_variables() -> None:
    dialect = load().dialects["kro-ready"].for_object({}, {"id": "web"})
    text = "[1].exists(i, x, true) && 1 >= 1.5"
    assert not compile_expression(text, dialect).refusals
