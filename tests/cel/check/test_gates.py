"""What the controllers accept and refuse, gate by gate, and with which messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.cel import Compiled, Refusal, compile_expression
from tests.cel.dialects import DIALECTS, HEALTH, READY
from tests.tables import Table

_GATES = Table(Path(__file__).with_name("gates.yaml"))


@pytest.mark.parametrize("site", ["health", "ready"])
def test_accepts(site: str) -> None:
    compiled = [compile_expression(t, DIALECTS[site]) for t in _GATES.section("accepted")[site]]
    assert {each.text: each.refusals for each in compiled if each.refusals} == {}
    assert all(each.analysed and each.tree for each in compiled)


@pytest.mark.parametrize("case", _GATES.cases("refused"))
def test_refuses_where_it_is_only_parsed(case: dict[str, Any]) -> None:
    _assert_refused(case, compile_expression(case["text"], HEALTH.at(case.get("celGo", ""))))


@pytest.mark.parametrize("case", _GATES.cases("checked"))
def test_refuses_where_it_is_checked(case: dict[str, Any]) -> None:
    _assert_refused(case, compile_expression(case["text"], READY.at(case.get("celGo", ""))))


def _assert_refused(case: dict[str, Any], compiled: Compiled) -> None:
    first = compiled.refusals[0]
    assert (first.stage, first.cause) == (case["stage"], case["cause"])
    assert case["text"][slice(*first.span)] == case["at"]
    assert case.get("name", first.name) == first.name
    assert case.get("says", "") in first.message
    assert case.get("hint", "") in first.hint
    assert compiled.analysed
    _assert_house_style(first)


def _assert_house_style(refusal: Refusal) -> None:
    assert refusal.message.endswith("so the controller refuses the expression")
    for text in (refusal.message, refusal.hint):
        assert not text[:1].isupper() or text.startswith("CEL")
        assert not text.endswith(".") or text.endswith("...")
        assert "ERROR" not in text
        assert text.count("`") % 2 == 0 or "`'`" in text or "backtick" in text


@pytest.mark.parametrize("case", _GATES.cases("types"))
def test_result_type(case: dict[str, Any]) -> None:
    assert compile_expression(case["text"], READY).result_type == case["type"]


def test_no_result_type_where_it_is_only_parsed() -> None:
    assert compile_expression("1 == 1", HEALTH).result_type == ""


def test_every_error_of_a_gate_is_reported_in_source_order() -> None:
    text = "timestamp('x') > a || a.matches('[') || now()"
    causes = [refusal.cause for refusal in compile_expression(text, HEALTH).refusals]
    assert causes == ["bad-conversion", "bad-regex", "unknown-function"]


def test_a_gate_hides_the_next() -> None:
    text = "nope == timestamp('x') && 1 == 'a'"
    stages = {refusal.stage for refusal in compile_expression(text, READY).refusals}
    assert stages == {"check"}


def test_errors_of_type_and_program_are_both_reported() -> None:
    causes = [r.cause for r in compile_expression("timestamp('x')", READY).refusals]
    assert causes == ["result-type", "bad-conversion"]


def test_what_only_follows_from_an_error_is_not_reported() -> None:
    refusals = compile_expression("(nope == 1 || 1 == 'a') && true", READY).refusals
    assert [refusal.cause for refusal in refusals] == ["unknown-variable", "no-overload"]


def test_a_shadowed_type_is_a_variable() -> None:
    text = "[1].exists(int, {1: 2}[int] == 2)"
    assert compile_expression(text, READY).refusals == ()


def test_compiling_again_gives_the_same_object() -> None:
    text = "status.phase == 'again'"
    assert compile_expression(text, HEALTH) is compile_expression(text, HEALTH)
    assert compile_expression(text, READY) is not compile_expression(text, HEALTH)
