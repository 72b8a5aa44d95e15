"""No expression exceeds its budget, and the estimate is an upper bound."""

from __future__ import annotations

import json
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from celvet.lint.cel import compile_expression
from celvet.lint.cel.cost.estimate import Cost, cost, of_size, of_values
from celvet.lint.cel.cost.regex_size import MOST, instructions
from celvet.lint.cel.cost.size import CELL, known_size, measure, unknown_size
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.eval.budget import MAX_BYTES, MAX_STEPS, is_affordable
from celvet.lint.cel.eval.excess import ELEMENTS, OBJECT
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.vocabulary import TYPES
from celvet.record import replace
from tests.cel.dialects import HEALTH
from tests.cel.expressions import EXPRESSIONS, OBJECTS, Choices, grown
from tests.forked import forked
from tests.properties import examples, sample
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("hostile.yaml"))
_VECTORS = Path(__file__).parents[2] / "conformance" / "cel.jsonl"
_LIBRARIES = HEALTH.libraries

_ALONE = """
import json, sys
from celvet.lint.cel import compile_expression
from tests.cel.dialects import HEALTH

variables = {
    "x": list(range(9000)), "s": "a" * 1_000_000, "z": ["a" * 1000] * 1000,
    "m": {f"k{i}": i for i in range(5000)},
}
compiled = compile_expression(sys.stdin.read(), HEALTH)
outcome = compiled.evaluate(variables)
assert compiled.trace(variables).outcome == outcome
print(json.dumps([outcome.analysed, outcome.value, outcome.error]))
"""


def _alone(case: dict[str, Any]) -> tuple[bool, Any, str]:
    """The outcome, also of a trace, in a process with 1 GB of address space and 20 s of CPU."""
    text = case["text"] + case.get("repeat", "") * case.get("times", 0) + case.get("end", "")
    limits = {resource.RLIMIT_AS: 2**30, resource.RLIMIT_CPU: 20}
    ran = forked(_ALONE, stdin=text, limits=limits)
    assert ran.status == 0, ran.err
    analysed, value, error = json.loads(ran.out)
    return analysed, value, error


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("case", _TABLE.cases("refused"))
def test_what_may_take_too_much_is_not_evaluated(case: dict[str, Any]) -> None:
    analysed, value, error = _alone(case)
    assert (analysed, value) == (False, None)
    assert error.startswith("not evaluated: ")
    assert case["of"] in error


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("case", _TABLE.cases("evaluated"))
def test_what_is_large_but_bounded_is_evaluated(case: dict[str, Any]) -> None:
    assert _alone(case) == (True, case["is"], "")


def test_the_expressions_of_the_vectors_are_far_below() -> None:
    with _VECTORS.open(encoding="utf-8") as lines:
        objects = json.loads(next(lines))["objects"]
        vectors = [json.loads(line) for line in lines]
    checked = 0
    for vector in sample(vectors):
        compiled = compile_expression(vector["expr"], HEALTH)
        subject = objects.get(str(vector.get("object")))
        if compiled.tree and not compiled.refusals and subject:
            bound = cost(compiled.tree, _LIBRARIES, of_values(subject))
            assert is_affordable(replace(bound, steps=20 * bound.steps, bytes=20 * bound.bytes))
            checked += 1
    assert checked > len(sample(range(500)))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("'ab'", 2),
        ("a + a", 20 + CELL),
        ("a.replace('x', 'yy')", 30),
        ("a.replace('xxxxx', 'yy')", 14),
        ("a.replace('x', 'yy', 3)", 16),
        ("a.replace('', 'y')", 21),
        ("a.reverse().trim()", 10),
        ("strings.quote(a)", 24),
        ("base64.encode(bytes(a))", 24),
        ("string(a)", 64),
        ("string(a.replace('x', 'yyyyyyy'))", 80),
        ("a == a", 0),
        ("[a, a].join('--')", 24),
        ("[1, 2, 3].map(n, a)", 3 * (10 + CELL)),
        ("[1, 2].map(n, [1, 2, 3].map(k, a))", 2 * (3 * (10 + CELL) + CELL)),
        ("true ? a : 'b'", 10),
        ("{'k': a}['k']", 10),
    ],
)
def test_how_texts_and_lists_grow(text: str, size: int) -> None:
    found = cost(parse(text), _LIBRARIES, of_values({"a": "x" * 10}))
    assert found.result.bytes - CELL == size


def test_loops_multiply() -> None:
    one, two, three = (
        cost(parse(text), _LIBRARIES, of_values({"x": [1] * 100})).steps
        for text in (
            "x.all(a, true)",
            "x.all(a, x.all(b, true))",
            "x.all(a, x.all(b, x.all(c, true)))",
        )
    )
    assert 50 * one < two < 100 * one
    assert 50 * two < three < 100 * two


def _on_large(text: str) -> Cost:
    """The cost on a large object."""
    return cost(parse(text), _LIBRARIES, of_size(OBJECT, ELEMENTS))


def test_what_is_assumed_of_an_object() -> None:
    usual = _on_large("status.conditions.exists(c, c.type == 'Ready')")
    squared = _on_large("x.all(a, x.all(b, x.all(c, a == b)))")
    assert is_affordable(usual)
    assert squared.steps > ELEMENTS**3 > MAX_STEPS
    assert unknown_size(OBJECT, ELEMENTS).element().bytes == OBJECT // ELEMENTS


def test_sizes_that_no_number_should_have_are_cut() -> None:
    text = "[s]" + ".map(a, a.replace('', a))" * 40
    found = cost(parse(text), _LIBRARIES, of_size(1000))
    assert found.bytes > MAX_BYTES
    assert found.bytes.bit_length() < 10_000


_HELD = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(["a", "b", "c"]), inner)
    ),
    max_leaves=12,
)


@given(_HELD)
def test_a_part_is_within_what_is_known_of_the_whole(value: Any) -> None:
    extent = known_size([value])
    assert extent.bytes == measure(value)
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    for part in parts if isinstance(parts, list) else ():
        assert measure(part) <= extent.element().bytes <= extent.bytes
    assert measure(value, 0) > 0


_LEAVES = ["status", "a", "'é'", "''", "'abc'", "x", "1.5", "[1, 'b']", "a.type"]
_FORMS: Sequence[str] = [
    "({}) + ({})",
    "string({})",
    "({}).replace({}, {})",
    "({}).split({})",
    "[{}, {}]",
    "{{'k': {}}}",
    "({}).map(c, {})",
    "({}).map(c, [c, {}])",
    "({}).filter(c, c != {})",
    "({}).join({})",
    "'%s %d'.format([{}, {}])",
    "'%s'.format([{}])",
    "'%.3f|%e|%x'.format([{}, {}, {}])",
    "({}).format([{}])",
    "strings.quote({})",
    "base64.encode(bytes({}))",
    "({}).x",
    "({})[0]",
    "({}).?x.orValue({})",
    "true ? {} : {}",
]


def _text(c: Choices, depth: int = 4) -> str:
    if depth == 0 or c.pick(range(4)) == 0:
        return c.pick(_LEAVES)
    form = c.pick(_FORMS)
    return form.format(*(_text(c, depth - 1) for _ in range(form.count("{}"))))


_VARIABLES = st.fixed_dictionaries(
    {
        "a": st.one_of(st.text(max_size=20), st.lists(st.text(max_size=9), max_size=4)),
        "x": st.one_of(st.integers(), st.floats(), st.text("ab", max_size=9)),
        "status": OBJECTS,
    }
)


_NAMES = {str(compile_expression(name, HEALTH).evaluate({}).value) for name in TYPES}


def _without_names(value: Any) -> Any:
    """The value without the names that stand for optionals and types."""
    if isinstance(value, list):
        return [_without_names(part) for part in value]
    if isinstance(value, dict):
        return {key: _without_names(part) for key, part in value.items()}
    return None if value == "optional" or str(value) in _NAMES else value


@given(st.one_of(grown(_text), EXPRESSIONS), _VARIABLES)
@examples(200)
def test_no_result_is_larger_than_estimated(text: str, variables: dict[str, Any]) -> None:
    compiled = compile_expression(text, HEALTH)
    assume(compiled.tree and not compiled.refusals)
    outcome = compiled.evaluate(variables)
    assume(not outcome.error and compiled.tree)
    size = measure(_without_names(outcome.value))
    for lookup in (of_values(variables), of_size(measure(variables))):
        assert compiled.tree
        found = cost(compiled.tree, _LIBRARIES, lookup)
        assert size <= found.result.bytes <= found.bytes


@pytest.mark.parametrize("pattern", ["a", "^v[0-9]+$", "x{100}", "(a|b)*c{2,5}", r"\d+"])
def test_small_patterns_are_small(pattern: str) -> None:
    assert len(pattern) <= instructions(pattern) < 3000


def test_regular_expressions_that_take_long_to_compile_are_not_compiled() -> None:
    heavy = r"'a'.matches('\\pL{200}')"
    assert instructions(r"\pL{200}") <= MOST
    assert compile_expression(heavy, HEALTH).analysed
    compiled = compile_expression(" || ".join([heavy] * 9), HEALTH)
    assert (compiled.analysed, compiled.refusals) == (False, ())


def test_the_engine_gives_up_on_endless_loops() -> None:
    program = compile_expression("x.all(a, x.all(b, true))", HEALTH)
    assert "10,000 iterations" in program.evaluate({"x": [1] * 500}).error
    assert program.evaluate({"x": [1] * 50}).value is True
    key = "Iteration budget exceeded"
    error = compile_expression(f"x['{key}'] == 1", HEALTH).evaluate({"x": {}}).error
    assert error == f"no such key: {key}"
    assert issubclass(engine.TooManyIterations, Exception)


def test_the_budget_may_be_spent_whole() -> None:
    usual = cost(parse("1"), _LIBRARIES, of_values({}))
    whole = replace(usual, steps=MAX_STEPS, bytes=MAX_BYTES)
    assert is_affordable(whole)
    assert not is_affordable(replace(whole, steps=MAX_STEPS + 1))
    assert not is_affordable(replace(whole, bytes=MAX_BYTES + 1))
