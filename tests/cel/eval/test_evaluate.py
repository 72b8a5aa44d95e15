"""Results of evaluations: values, and errors in cel-go's words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import Outcome, compile_expression
from tests.cel.dialects import HEALTH, READY
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("evaluate.yaml"))
_OBJECT = _TABLE.section("object")


def _typed(value: Any) -> Any:
    """Distinguishes bool, int and double values that are equal in Python."""
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    return (type(value), value)


def _assert_outcome(case: dict[str, Any], outcome: Outcome) -> None:
    assert outcome.analysed
    assert outcome.error == case.get("error", "")
    assert _typed(outcome.value) == _typed(case.get("is"))


@pytest.mark.parametrize("case", _TABLE.cases("values") + _TABLE.cases("errors"))
def test_evaluates(case: dict[str, Any]) -> None:
    compiled = compile_expression(case["text"], HEALTH)
    assert compiled.refusals == ()
    _assert_outcome(case, compiled.evaluate(case.get("object", _OBJECT)))


@pytest.mark.parametrize("case", _TABLE.cases("ready"))
def test_evaluates_where_it_is_checked(case: dict[str, Any]) -> None:
    compiled = compile_expression(case["text"], READY)
    assert compiled.refusals == ()
    _assert_outcome(case, compiled.evaluate({"self": _OBJECT, "dep": _OBJECT}))


@pytest.mark.parametrize(
    ("text", "value", "error"),
    [
        ("true", True, ""),
        ("1 == 1", True, ""),
        ("1", None, "failed to evaluate CEL expression as boolean"),
        ("null", None, "failed to evaluate CEL expression as boolean"),
        ("optional.of(true)", None, "failed to evaluate CEL expression as boolean"),
        ("nope", None, "no such attribute(s): nope"),
    ],
)
def test_a_site_that_demands_a_bool(text: str, value: object, error: str) -> None:
    outcome = compile_expression(text, HEALTH).evaluate({}).boolean()
    assert (outcome.value, outcome.error) == (value, error)


@pytest.mark.parametrize(
    "text", ["optional.of(1)", "[optional.none()]", "{'a': optional.of(1)}", "int", "[type(1)]"]
)
def test_what_python_has_no_value_for_is_text(text: str) -> None:
    outcome = compile_expression(text, HEALTH).evaluate({})
    assert outcome.error == ""
    assert isinstance(outcome.value, str | list | dict)


def test_numbers_beyond_64_bits_are_doubles_as_in_go() -> None:
    compiled = compile_expression("type(a) == double && a > 1", HEALTH)
    assert compiled.evaluate({"a": 2**70}) == Outcome(True)


def test_lone_surrogates_are_replaced_as_in_go() -> None:
    compiled = compile_expression("a == '\ud800' && size(a) == 1", HEALTH)
    assert compiled.evaluate({"a": "\ud800"}) == Outcome(True)


def test_a_refused_expression_gives_its_refusal() -> None:
    compiled = compile_expression("now()", HEALTH)
    assert compiled.evaluate({}).error == compiled.refusals[0].message


def test_the_object_is_left_alone() -> None:
    item = {"a": [1, {"b": 2**70}], "c": "x"}
    compile_expression("a.map(x, x.b).nope", HEALTH).evaluate(item)
    assert item == {"a": [1, {"b": 2**70}], "c": "x"}
