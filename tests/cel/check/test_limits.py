"""Limits: cel-go's are refusals; beyond those of our engine, an expression is not analysed."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.cel import Compiled, compile_expression
from celvet.lint.cel.engine.outcome import BEYOND
from celvet.schemas import Dialect
from tests.cel.dialects import HEALTH, READY


@pytest.mark.parametrize("unit", ["a", "😀"])
def test_a_text_too_long_is_refused(unit: str) -> None:
    [refusal] = compile_expression(unit * 100_001, HEALTH).refusals
    assert (refusal.stage, refusal.cause) == ("parse", "too-long")
    causes = [r.cause for r in compile_expression("a" * 100_000, HEALTH).refusals]
    assert causes == []


@pytest.mark.parametrize(
    ("opening", "inside", "closing"),
    [
        ("(", "a", ")"),
        ("[", "1", "]"),
        ("f(", "a", ")"),
        ("", "a", ".b"),
        ("", "a", "[0]"),
        ("", "a", " + a"),
        ("", "a", " == a"),
        ("a ? b : ", "c", ""),
        ("x.map(y, ", "y", ")"),
    ],
)
def test_a_text_nested_more_than_250_levels_deep_is_refused(
    opening: str, inside: str, closing: str
) -> None:
    def compiled(depth: int) -> Compiled:
        return compile_expression(opening * depth + inside + closing * depth, HEALTH)

    assert (compiled(250).refusals, compiled(250).analysed) == ((), False)
    for depth in (251, 300):
        [refusal] = compiled(depth).refusals
        assert (refusal.stage, refusal.cause) == ("parse", "too-deep")
        assert "more than 250 levels" in refusal.message


@pytest.mark.parametrize(
    "text",
    [
        "(" * 60 + "a" + ")" * 60,
        "a" + ".b" * 60,
        "a" + " + a" * 100,
        "a ? b : " * 100 + "c",
        "{'a': a ? b : c, 'd': e ? f : g}" + ".x" * 40,
        "f([1, " * 100 + "?a" + "])" * 100,
    ],
)
def test_what_only_our_engine_cannot_read_is_not_a_refusal(text: str) -> None:
    compiled = compile_expression(text, HEALTH)
    assert compiled.refusals == ()
    assert not compiled.analysed
    outcome = compiled.evaluate({"a": 1})
    assert (outcome.value, outcome.analysed) == (None, False)
    assert outcome.error


@pytest.mark.parametrize(
    "text",
    [
        " && ".join(["true"] * 3000),
        "!" * 2000 + "true",
        "-" * 2000 + "1 == 1",
        "[" + "1, " * 3000 + "1].size() == 3001",
        "true // " + "(" * 5000,
        "'" + "(" * 5000 + "' != ''",
    ],
)
def test_width_is_not_depth(text: str) -> None:
    compiled = compile_expression(text, HEALTH)
    assert compiled.refusals == ()
    assert compiled.evaluate({}).value is True


@pytest.mark.parametrize("dialect", [HEALTH, READY], ids=lambda dialect: dialect.name)
def test_a_tree_too_deep_to_run_is_not_analysed(dialect: Dialect) -> None:
    text = "[1].exists(a, " * 28 + "true" + ")" * 28
    compiled = compile_expression(text, dialect)
    assert compiled.refusals == ()
    assert not compiled.evaluate({}).analysed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (r"x.matches('\\p{Letter}')", "Go may compile its regular expressions"),
        (r"x.matches('\\pL{1000}')", "Go may compile its regular expressions"),
        ("{'a': 1, 'a': 2}.a == 2", "duplicate keys"),
        ("{null: 1}.size() == 1", "only cel-go allows"),
        ("timestamp('2026-01-02T03:04:05Z').getDate('Local') == 2", "time zone"),
    ],
)
def test_what_only_cel_go_can_do_is_not_analysed(text: str, why: str) -> None:
    compiled = compile_expression(text, HEALTH)
    assert compiled.refusals == ()
    outcome = compiled.evaluate({"x": "a"})
    assert (outcome.value, outcome.analysed) == (None, False)
    assert why in outcome.error


def test_an_error_within_the_limits_is_reported_though_the_guards_are_beyond_them() -> None:
    text = "x.exists(a, " * 14 + "a.b" + ")" * 14
    outcome = compile_expression(text, HEALTH).evaluate({"x": [{"c": 1}]})
    assert (outcome.error, outcome.analysed) == ("no such key: b", True)


def test_many_errors_are_reported_up_to_a_limit() -> None:
    compiled = compile_expression(" && ".join(f"a{i}" for i in range(3000)), READY)
    assert {refusal.cause for refusal in compiled.refusals} == {"unknown-variable"}
    assert 20 <= len(compiled.refusals) < 100


@pytest.mark.parametrize(
    "text", ["a == 'recursion limit' b", "b 'recursion depth'", "'ERROR: <input>:1:1: x' y"]
)
def test_the_words_of_a_limit_in_a_text_are_no_limit(text: str) -> None:
    [refusal] = compile_expression(text, HEALTH).refusals
    assert refusal.cause == "syntax"


def test_an_object_too_deep_does_not_crash() -> None:
    item: dict[str, Any] = {}
    for _ in range(2000):
        item = {"a": item}
    outcome = compile_expression("a.b == 1", HEALTH).evaluate(item)
    assert outcome.error


def test_what_the_engine_infers_wrongly_is_not_analysed() -> None:
    compiled = compile_expression("[].all(e, e == [true] && e.exists(f, f))", READY)
    assert (compiled.refusals, compiled.analysed) == ((), False)


@pytest.mark.parametrize(
    "form", ["status[|1|]", "[1].exists(a, |true|)", "1 in [|1|]", "{'a': |1|}"]
)
def test_at_any_depth_the_outcome_is_that_of_ten_or_not_analysed(form: str) -> None:
    left, middle, right = form.split("|")
    errors = [
        compile_expression(left * depth + middle + right * depth, HEALTH)
        .evaluate({"status": {"a": 1}})
        .error
        for depth in range(10, 40)
    ]
    assert {*errors} <= {errors[0], BEYOND.error}
