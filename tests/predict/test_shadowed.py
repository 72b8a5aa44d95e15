"""A search proves that no object exists; it is skipped if a stock state is one."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.predict import diagnose, table
from celvet.lint.predict.faults.diagnosis import NeverTrue, Stale
from celvet.lint.predict.states.api_conventions import is_possible
from celvet.lint.predict.states.crd_shape import Shape
from tests.predict.models import made


def _condition(kind: str, status: str) -> str:
    return f"status.conditions.exists(e, e.type == '{kind}' && e.status == '{status}')"


def test_nothing_is_searched_for_an_entry_as_it_should_be() -> None:
    found = made(
        {
            "inProgress": _condition("Progressing", "Unknown"),
            "failed": _condition("Ready", "False"),
            "current": _condition("Ready", "True"),
        }
    )
    assert {type(each) for each in diagnose(found)} == {Stale}
    assert not table(found)._proofs


@pytest.mark.parametrize(
    "failed",
    [
        "data.gate == b'ab'",
        _condition("Ready", "true"),
        "status.observedGeneration == '1'",
        "status.phase == 'a' && status.phase == 'b'",
    ],
)
def test_a_stock_state_that_no_object_can_be_in_proves_nothing(failed: str) -> None:
    found = made({"failed": failed, "current": "status.phase == 'Ready'"})
    assert [each.role for each in diagnose(found) if isinstance(each, NeverTrue)] == ["failed"]


def test_two_fields_may_agree_once_one_is_converted() -> None:
    found = made(
        {"failed": "status.phase.lowerAscii() == status.phase", "current": "status.ok == 'x'"}
    )
    assert NeverTrue not in {type(each) for each in diagnose(found)}


@pytest.mark.parametrize(
    ("value", "can_be"),
    [
        ({"status": {"conditions": [{"type": "Ready", "status": "True"}], "ratio": 0.5}}, True),
        ({"status": {"conditions": [{"type": "Ready", "status": "true"}]}}, False),
        ({"status": {"names": ["a", b"b"]}}, False),
        ({"status": {"ratio": float("inf")}}, False),
        ({"metadata": {"generation": "2"}}, False),
    ],
)
def test_what_objects_can_hold(value: Any, can_be: bool) -> None:
    assert is_possible(value, Shape(None, ())) is can_be
