"""Syntax errors: where they are reported, and the typo behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.model import Span
from tests.cel.dialects import HEALTH, READY
from tests.tables import Table

_SYNTAX = Table(Path(__file__).with_name("syntax.yaml"))


@pytest.mark.parametrize("case", _SYNTAX.cases("typos"))
def test_explains_the_typo_where_the_parser_fails(case: dict[str, Any]) -> None:
    text = case["text"]
    [refusal] = compile_expression(text, HEALTH).refusals
    rest = "" if case["at"] == "^" else case["at"]
    assert text[refusal.span.start :] == rest
    assert (refusal.stage, refusal.cause) == ("parse", "syntax")
    assert case["says"] in refusal.message
    assert case["hint"] in refusal.hint
    assert bool(case["hint"]) == bool(refusal.hint)


@pytest.mark.parametrize("text", _SYNTAX.section("fine"))
def test_no_typo_in_what_is_right(text: str) -> None:
    assert compile_expression(text, HEALTH).refusals == ()


@pytest.mark.parametrize("dialect", [HEALTH, READY])
def test_only_the_first_error_is_reported(dialect: Any) -> None:
    [refusal] = compile_expression("a and b or c and has(d)", dialect).refusals
    assert refusal.span == Span(2, 5)


def test_a_broken_text_has_no_tree_and_a_refused_one_has() -> None:
    assert compile_expression("a and b", HEALTH).tree is None
    assert compile_expression("now()", HEALTH).tree is not None


@pytest.mark.parametrize(
    ("text", "cause", "at"),
    [
        ("metadata.labels.`a` == == 1", "backtick", "`a`"),
        ("a == == metadata.labels.`a`", "syntax", "=="),
        ("has(a) && b ) c", "has-argument", "a"),
        ("has(b{c.d}", "has-argument", "{"),
        ("a == 1e999 || b == 99999999999999999999", "syntax", "1e999"),
        ("1e999 == (", "syntax", "1e999"),
    ],
)
def test_the_first_of_several_kinds_of_errors_is_reported(text: str, cause: str, at: str) -> None:
    [refusal] = compile_expression(text, HEALTH.at("0.27.0")).refusals
    assert (refusal.cause, text[slice(*refusal.span)]) == (cause, at)


def test_every_field_in_backticks_is_reported() -> None:
    text = "a.`b-c` == d.?`e.f`"
    assert compile_expression(text, HEALTH.at("0.29.0")).refusals == ()
    refusals = compile_expression(text, HEALTH.at("0.27.0")).refusals
    assert [(refusal.cause, refusal.name) for refusal in refusals] == [
        ("backtick", "b-c"),
        ("backtick", "e.f"),
    ]
