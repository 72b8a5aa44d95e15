"""Coverage counts which conditions were true, false or in error."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.cel import Coverage, compile_expression
from tests.cel.dialects import HEALTH


def _covered(text: str, *objects: dict[str, Any]) -> Coverage:
    compiled = compile_expression(text, HEALTH)
    assert compiled.tree is not None
    coverage = Coverage(compiled.tree)
    for each in objects:
        coverage.add(compiled.trace(each))
    return coverage


def _sources(text: str, coverage: Coverage) -> dict[str, set[str]]:
    return {text[slice(*each.span)]: set(each.outcomes) for each in coverage.conditions}


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("a", ["a"]),
        ("true", []),
        ("a && b && c && d", ["a && b && c && d", "a", "b", "c", "d"]),
        ("a || b && c", ["a || b && c", "a", "b && c", "b", "c"]),
        ("!(a && b)", ["!(a && b)", "a", "b"]),
        ("a ? b : c == 1", ["a ? b : c == 1", "a", "b", "c == 1"]),
        ("(a ? b : c) == 1", ["(a ? b : c) == 1", "a"]),
        ("a.exists(x, x.y == 1)", ["a.exists(x, x.y == 1)", "x.y == 1"]),
        ("a.map(x, x > 1, x).size() == 1", ["a.map(x, x > 1, x).size() == 1", "x > 1"]),
        ("a.map(x, x > 1) == []", ["a.map(x, x > 1) == []"]),
        ("has(a.b) && a.b", ["has(a.b) && a.b", "has(a.b)", "a.b"]),
    ],
)
def test_what_is_a_condition(text: str, conditions: list[str]) -> None:
    coverage = _covered(text)
    assert [*_sources(text, coverage)] == conditions
    assert coverage.percent == (0 if conditions else 100)


def test_outcomes_are_counted() -> None:
    text = "s.a == 1 || s.b == 1"
    coverage = _covered(text, {"s": {"a": 1}}, {"s": {"b": 1}}, {"s": {"a": 2, "b": 1}})
    assert _sources(text, coverage) == {
        text: {"true"},
        "s.a == 1": {"true", "false", "error"},
        "s.b == 1": {"true"},
    }
    assert coverage.percent == pytest.approx(100 * 4 / 6)
    missing = {text[slice(*each.span)]: each.missing for each in coverage.uncovered_conditions}
    assert missing == {text: ("false",), "s.b == 1": ("false",)}


def test_every_element_counts() -> None:
    text = "s.all(x, x > 1)"
    coverage = _covered(text, {"s": [2, 3, 1]})
    assert _sources(text, coverage) == {text: {"false"}, "x > 1": {"true", "false"}}


def test_coverages_merge() -> None:
    text = "s == 1"
    one, other = _covered(text, {"s": 1}), _covered(text, {"s": 2})
    assert (one.percent, other.percent) == (50, 50)
    one.merge(other)
    assert (one.percent, one.uncovered_conditions) == (100, ())
    assert other.percent == 50


def test_what_is_not_a_bool_and_what_is_not_evaluated_cover_nothing() -> None:
    text = "s"
    assert _sources(text, _covered(text, {"s": 3})) == {"s": {"other"}}
    loops = "s.all(a, s.all(b, true))"
    assert _covered(loops, {"s": [1] * 5000}).percent == 0
