"""Variables bound once give the same values as variables bound each time."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given

from celvet.lint.cel import Activation, compile_expression
from celvet.lint.cel.engine.activation import bind
from celvet.lint.model import Value
from tests.cel.dialects import HEALTH, READY
from tests.cel.expressions import EXPRESSIONS, OBJECTS

_TEXTS = ("a", "a.x", "x == a", "a.map(c, c)", "status.phase == 'x'", "[a, x]")


@given(OBJECTS, EXPRESSIONS)
def test_bound_variables_give_the_same(subject: dict[str, Any], text: str) -> None:
    bound = Activation(subject)
    for each in (*_TEXTS, text, *_TEXTS, text):
        for dialect in (HEALTH, READY):
            compiled = compile_expression(each, dialect)
            assert repr(compiled.evaluate(bound)) == repr(compiled.evaluate(subject))


def test_a_variable_is_measured_once_up_to_a_limit() -> None:
    bound = bind({"a": ["x" * 100] * 10})
    assert bound.size("a", 100) > 100
    size = bound.size("a", 10_000)
    assert size == bound.size("a", 0) == 11 * 32 + 1000
    assert bound.size("b", 100) == 0
    assert bind(bound) is bound


@pytest.mark.parametrize("value", ["a\0b", ["a\0b"], {"a\0b": 1}])
def test_what_the_engine_would_cut_is_not_evaluated(value: Value) -> None:
    outcome = compile_expression("x == 'a'", HEALTH).evaluate({"x": value})
    assert not outcome.analysed
    assert outcome.error == "not evaluated: a string contains a NUL character"


@pytest.mark.parametrize(
    "text",
    [
        r"'a\x00b'.substring(0, 2) == 'a'",
        r"'a\x00b'.split('b')[0] == 'a'",
        r"'%s'.format([b'a\x00b']) == 'a'",
    ],
)
def test_a_result_that_the_binding_would_cut_is_not_evaluated(text: str) -> None:
    outcome = compile_expression(text, HEALTH).evaluate({})
    assert not outcome.analysed
    assert outcome.error == "not evaluated: a string contains a NUL character"


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal")
@pytest.mark.parametrize("text", ["null", "[null, null]", "{'a': null}", "x"])
def test_a_null_takes_nothing_from_the_interpreter(text: str) -> None:
    compiled = compile_expression(text, HEALTH)
    before = sys.getrefcount(None)
    for _ in range(2_000):
        compiled.evaluate({"x": None})
    assert sys.getrefcount(None) > before - 1_000
