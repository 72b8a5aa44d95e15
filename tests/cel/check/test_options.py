"""The options of an environment, and the result that it demands, decide what is refused."""

from __future__ import annotations

import pytest

from celvet.lint.cel import compile_expression
from celvet.schemas import Dialect
from celvet.schemas.dialect import Option

_PLAIN = Dialect(
    "plain", "cel", "", checked=True, result="bool", variables={"x": "dyn"}, options=()
)

_CASES: list[tuple[str, Option, str]] = [
    ("1 < 2.0", "CrossTypeNumericComparisons", "accepts"),
    ("size([1, 'a']) == 2", "HomogeneousAggregateLiterals", "refuses"),
    ("size({'a': 1, 'b': true}) == 2", "HomogeneousAggregateLiterals", "refuses"),
    ("'a'.matches('(') || true", "OptOptimize", "refuses"),
    ("true || int('x') == 1", "OptOptimize", "refuses"),
]


@pytest.mark.parametrize(("text", "option", "effect"), _CASES)
def test_an_option(text: str, option: Option, effect: str) -> None:
    name = f"with {option}"
    dialect = Dialect(name, "cel", "", checked=True, result="bool", options=(option,))
    assert bool(compile_expression(text, dialect).refusals) is (effect == "refuses")
    assert bool(compile_expression(text, _PLAIN).refusals) is (effect == "accepts")


def test_a_program_that_is_not_optimised_fails_only_where_evaluation_arrives() -> None:
    assert compile_expression("true || int('x') == 1", _PLAIN).evaluate({}).value is True
    assert compile_expression("int('x') == 1", _PLAIN).evaluate({}).error


@pytest.mark.parametrize(
    ("text", "results", "late", "accepted"),
    [
        ("x.ready", (), False, False),
        ("x.ready", (), True, True),
        ("'yes'", (), True, True),
        ("1 + 'a'", (), True, False),
        ("optional.of(true)", ("optional_type(bool)",), False, True),
        ("optional.of(1)", ("optional_type(bool)",), False, False),
    ],
)
def test_the_result(text: str, results: tuple[str, ...], late: bool, accepted: bool) -> None:
    dialect = Dialect(
        f"{results} {late}",
        "cel",
        "",
        checked=True,
        variables={"x": "dyn"},
        libraries=("optional",),
        result="bool",
        results=results,
        late=late,
    )
    assert bool(compile_expression(text, dialect).refusals) is not accepted
