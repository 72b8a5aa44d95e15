"""A trace shows what the evaluation reached, and agrees with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from celvet.lint.cel import Compiled, Trace, TraceStep, compile_expression, explain_error
from celvet.lint.cel.syntax.tree import Call, Macro
from tests.cel.dialects import HEALTH, READY
from tests.cel.expressions import ANY_TEXT, OBJECTS
from tests.properties import examples, sample
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("trace.yaml"))
_OBJECT = _TABLE.section("object")
_VECTORS = Path(__file__).parents[2] / "conformance" / "cel.jsonl"


@pytest.mark.parametrize("case", _TABLE.cases("traces"))
def test_traces(case: dict[str, Any]) -> None:
    trace = compile_expression(case["text"], HEALTH).trace(_OBJECT)
    assert trace.complete
    assert [*_lines(trace, trace.root, 0)] == case["steps"]


def _lines(trace: Trace, step: TraceStep, depth: int) -> Iterator[str]:
    mark = "*" if any(step is each for each in trace.deciding_steps()) else " "
    value = step.outcome.value
    shown = "..." if isinstance(value, list | dict) else str(value)
    shown = shown.lower() if isinstance(value, bool) else shown
    result = f"! {step.outcome.error}" if step.outcome.error else f"= {shown}"
    yield f"{depth}{mark} {trace.source(step)} {result}"
    for below in step.below():
        yield from _lines(trace, below, depth + 1)


def _assert_consistent(compiled: Compiled, trace: Trace, subject: Any) -> None:
    assert repr(trace.outcome) == repr(compiled.evaluate(subject))
    for step in trace.steps() if trace.complete else ():
        if step.outcome.error or not step.outcome.analysed:
            continue
        below = [each.outcome for each in step.below()]
        values = [outcome.value for outcome in below]
        match step.node:
            case Call(function="_&&_") | Macro(name="all"):
                tests = values[isinstance(step.node, Macro) :]
                assert step.outcome.value is not any(value is False for value in tests)
            case Call(function="_||_") | Macro(name="exists"):
                tests = values[isinstance(step.node, Macro) :]
                assert step.outcome.value is any(value is True for value in tests)
            case Call(function="_?_:_"):
                assert repr(step.outcome.value) == repr(values[-1])
            case _:
                assert not [outcome.error for outcome in below if outcome.error]


def test_every_third_vector_traces_as_it_evaluates() -> None:
    with _VECTORS.open(encoding="utf-8") as lines:
        objects = json.loads(next(lines))["objects"]
        vectors = [json.loads(line) for line in lines]
    dialects = {"eval": HEALTH, "evalready": READY}
    traced = 0
    for vector in sample(vectors[::3]):
        if vector["mode"] not in dialects:
            continue
        compiled = compile_expression(vector["expr"], dialects[vector["mode"]])
        if compiled.tree and compiled.analysed and not compiled.refusals:
            name = vector["object"]
            subject = objects[name] if isinstance(name, str) else name
            trace = compiled.trace(subject)
            assert trace.complete
            _assert_consistent(compiled, trace, subject)
            assert bool(explain_error(trace, subject)) == bool(trace.outcome.error)
            traced += 1
    assert traced > len(sample(range(300)))


@given(ANY_TEXT, OBJECTS)
@examples(300)
def test_nothing_raises(text: str, subject: dict[str, Any]) -> None:
    compiled = compile_expression(text, HEALTH)
    if compiled.tree is None:
        return
    trace = compiled.trace(subject)
    assert repr(trace.outcome) == repr(compiled.evaluate(subject))
    found = explain_error(trace, subject)
    assert (found is None) == (not trace.outcome.error or not trace.outcome.analysed)
    assert trace.deciding_steps()[0] is trace.root


def test_an_element_knows_its_place() -> None:
    compiled = compile_expression("metadata.labels.map(k, [k].map(x, x))", HEALTH)
    rounds = compiled.trace(_OBJECT).root.rounds
    assert [(each.variable, each.place, each.value) for each in rounds] == [
        ("k", "a", "a"),
        ("k", "b", "b"),
    ]
    inner = rounds[0].steps[0].rounds
    assert [(each.variable, each.place, each.value) for each in inner] == [("x", 0, "a")]


def test_a_variable_hides_an_outer_one() -> None:
    text = "[[1u]].exists(y, y.exists(z, [2].exists(y, y > z)))"
    trace = compile_expression(text, HEALTH).trace({"y": "nothing"})
    [comparison] = [step for step in trace.steps() if trace.source(step) == "y > z"]
    assert comparison.outcome.value is True
    assert [part.outcome.value for part in comparison.parts] == [2, 1]


def test_a_trace_has_an_end() -> None:
    text = "x.all(a, x.all(b, a == a && b == b))"
    trace = compile_expression(text, HEALTH).trace({"x": list(range(90))})
    assert trace.outcome.value is True
    assert not trace.complete
    assert 100 < len([*trace.steps()]) <= 5_002


def test_what_is_not_evaluated_has_one_step() -> None:
    trace = compile_expression("x.map(a, x.map(b, b))", HEALTH).trace({"x": [1] * 9000})
    assert (trace.complete, trace.outcome.analysed, trace.root.parts) == (False, False, ())
    refused = compile_expression("int('x') == 1", HEALTH)
    assert refused.trace({}).outcome.error == refused.refusals[0].message
    with pytest.raises(ValueError, match="not an expression"):
        compile_expression("a b", HEALTH).trace({})


@pytest.mark.parametrize("case", _TABLE.cases("errors"))
def test_explains(case: dict[str, Any]) -> None:
    text = case["text"]
    found = explain_error(compile_expression(text, HEALTH).trace(_OBJECT), _OBJECT)
    assert found is not None
    assert found.error == case["error"]
    assert case.get("says", "") in found.message
    assert text[slice(*found.span)] == case.get("at", text[slice(*found.span)])
    for name in ("path", "similar", "test"):
        assert getattr(found, name) == case.get(name, getattr(found, name))
    if "fixed" in case:
        assert found.instead in case["fixed"]
        assert not compile_expression(case["fixed"], HEALTH).evaluate(_OBJECT).error
    else:
        assert not found.instead or "says" in case or "path" in case


def test_a_test_is_false_where_there_is_the_error() -> None:
    outside = [case.values[0] for case in _TABLE.cases("errors") if "e.status" not in str(case)]
    tests = [case["test"] for case in outside if case.get("test")]
    assert len(tests) >= 4
    for test in tests:
        assert compile_expression(test, HEALTH).evaluate(_OBJECT).value is False


def test_no_error_needs_no_explanation() -> None:
    assert explain_error(compile_expression("true", HEALTH).trace({}), {}) is None
