"""Only what multiplies in cel-go too is called hopeless, and only on large objects or always.

The expressions and their times are of cel-go 0.31.0, on the worst object of 1.5 MB for each.
"""

from __future__ import annotations

import pytest

from celvet.lint.cel import Excess, compile_expression
from tests.cel.dialects import HEALTH


def _excess(text: str) -> Excess | None:
    return compile_expression(text, HEALTH).excess


def _written_out(condition: str) -> str:
    """Eight loops over a list that is written out."""
    for name in "hgfedcba":
        condition = f"[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all({name}, {condition})"
    return condition


@pytest.mark.parametrize(
    "text",
    [
        "status.conditions.exists(c, c.type == 'Ready')",
        "status.message.split(',').map(l, l.replace('a', 'b')).size() > 0",
        r"status.message.split('\n').exists(l, l.indexOf('x') > 0)",
        r"status.message.split('\n').exists(l, l.split('=')[0].trim() == 'x')",
        "status.items.all(i, i.split(',').all(p, p.split('=')[0] != 'x'))",
        "status.conditions.exists(c, (status.message + c.type).size() == 3)",
        "status.items.map(i, i.replace('x', 'yyyyyyyyyy')).join('').size() > 3",
        "json.encode(status.conditions.map(c, {'t': c.type, 'm': c.message})).size() > 3",
        "json.encode(status.message.split(',')).contains('x')",
        "status.message.matches('^' + metadata.name + '$')",
        "status.message.matches('.*' + metadata.name + '.*')",
        "metadata.labels.exists(k, k.matches(metadata.name))",
        # cel-go takes 0.12 s for the pattern of a UUID, the engine's bound is 400 s.
        "status.message.matches('[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}')",
        "status.message.contains(status.part) && status.message.endsWith(status.part)",
        # It takes 1.2 s: only the engine copies a list in each round.
        "status.items.map(i, status.items.map(j, i == j).size()).exists(n, n == 1)",
        "sets.contains(status.items, status.items)",
        # It is refused, so that it is never evaluated.
        "x.all(a, x.all(b, x.all(c, a != b || true))) || a b",
    ],
)
def test_what_takes_seconds_at_most_is_not_reported(text: str) -> None:
    assert _excess(text) is None


@pytest.mark.parametrize(
    ("text", "part", "power"),
    [
        # 465 s, 9,700 s, 189 s
        ("x.all(a, x.all(b, x.all(c, a != b || true)))", "a != b", 3),
        ("x.all(a, x.all(b, y.lowerAscii() != b))", "y.lowerAscii()", 3),
        ("x.exists(a, x.exists(b, b.indexOf(a + 'z') > 0))", "b.indexOf(a + 'z')", 3),
        # 30,000 s, 8,000 s, 135 s, 220 s
        ("y.matches(spec.pattern)", "y.matches(spec.pattern)", 2),
        ("x.exists(a, a.matches(a))", "a.matches(a)", 2),
        ("y.indexOf(status.part) > 0", "y.indexOf(status.part)", 2),
        ("y.split(',').exists(p, x.exists(i, i == p))", "i == p", 2),
    ],
)
def test_the_part_that_multiplies_is_reported(text: str, part: str, power: int) -> None:
    excess = _excess(text)
    assert excess is not None
    assert text[slice(*excess.node.span)] == part
    assert (excess.power, excess.memory, excess.always) == (power, False, False)


def test_the_first_text_that_is_too_large_is_reported() -> None:
    text = "y.replace('', status.part).reverse().size() > 0"
    excess = _excess(text)
    assert excess is not None
    assert text[slice(*excess.node.span)] == "y.replace('', status.part)"
    assert (excess.power, excess.memory, excess.always) == (2, True, False)


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("'a'" + ".replace('', 'bbbbbbbbbb')" * 10, True),
        # 28 s, and the object has no part in it
        (_written_out("a + b + c + d >= 0"), False),
    ],
)
def test_what_is_hopeless_on_any_object(text: str, memory: bool) -> None:
    excess = _excess(text)
    assert excess is not None
    assert (excess.always, excess.memory) == (True, memory)
