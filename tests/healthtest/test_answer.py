"""The results of an evaluator's expressions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from celvet.lint.healthtest.run.answer import Answer, answer
from celvet.lint.healthtest.run.evaluation import BareExpression
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import load


def _answer(text: str, dialect: str = "flux-health") -> Answer:
    evaluator = BareExpression(text, load().dialects[dialect])
    obj = {"apiVersion": "v1", "kind": "A", "status": {"phase": "Ready"}}
    return answer(evaluator, ClusterState(objects=[obj], now=datetime(2026, 1, 1, tzinfo=UTC)))


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("status.phase == 'Ready'", False),
        ("status.phase == 'Failed'", False),
        ("status.other == 'Ready'", True),
        ("status.phase == ", True),
        ("status.phase", False),
    ],
)
def test_an_error_and_a_refusal_are_failures(text: str, failed: bool) -> None:
    assert _answer(text).failed == failed


@pytest.mark.parametrize(
    ("text", "dialect", "traced"),
    [
        ("status.phase", "flux-health", True),
        ("status.phase ==", "flux-health", False),
        (".status.phase", "cartographer", False),
    ],
)
def test_what_is_evaluated_as_cel_has_a_trace(text: str, dialect: str, traced: bool) -> None:
    given = _answer(text, dialect)
    trace = given.trace(given.expressions[0].expression)
    assert (trace is not None) == traced
