"""The smallest sub-expression that decides, and what it read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from celvet.lint.cel import compile_expression
from celvet.lint.cel.trace.decision import Decision, decision
from tests.cel.dialects import HEALTH
from tests.cel.expressions import ANY_TEXT, OBJECTS
from tests.properties import examples
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("decision.yaml"))
_OBJECT = _TABLE.section("object")


@pytest.mark.parametrize("case", _TABLE.cases("decisions"))
def test_decisions(case: dict[str, Any]) -> None:
    decided = _decision(case["text"], _OBJECT)
    assert _shown(decided) == case["decided"]
    assert decided.observed == case["observed"]
    assert case.get("sentence", "") in decided.sentence()


@examples(200)
@given(text=ANY_TEXT, subject=OBJECTS)
def test_a_decision_is_a_step_of_the_evaluation(text: str, subject: Any) -> None:
    compiled = compile_expression(text, HEALTH)
    if compiled.tree is None:
        return
    trace = compiled.trace(subject)
    decided = decision(trace, subject)
    assert any(
        step.span == decided.span and repr(step.outcome) == repr(decided.outcome)
        for step in trace.steps()
    )
    assert "\n" not in decided.sentence()


def _decision(text: str, subject: Any) -> Decision:
    return decision(compile_expression(text, HEALTH).trace(subject), subject)


def _shown(decided: Decision) -> str:
    outcome = decided.outcome
    result = f"! {outcome.error}" if outcome.error else f"= {json.dumps(outcome.value)}"
    return f"{decided.expression} {result}"
