"""Stock states: which there are, what they contain, and the controller's verdict on each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.predict import CheckModel, Table, table
from celvet.lint.predict.states.stock_states import MOST
from tests.predict.models import made
from tests.tables import read_table

_CASES = read_table(Path(__file__).with_name("truth_tables.yaml"))


def _made(case: dict[str, Any]) -> CheckModel:
    return made(case["expressions"], statuses=case.get("statuses", ()))


def _statuses(of: Table) -> dict[str, Any]:
    return {row.state.name: row.state.object.get("status") for row in of.rows}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_table(case: dict[str, Any]) -> None:
    rows = table(_made(case)).rows
    assert [[row.state.name, row.verdict, row.state.description] for row in rows] == case["rows"]


def test_the_generation_is_looked_at_first() -> None:
    of = table(made({"current": "status.observedGeneration != metadata.generation"}))
    row = of.proof({"current": True}).row
    assert row is not None
    assert row.verdict == "InProgress"


def test_a_condition_has_only_what_is_read() -> None:
    plain = table(made({"current": "status.conditions.exists(c, c.type == 'A')"}))
    assert _statuses(plain)["A=True"] == {"conditions": [{"type": "A", "status": "True"}]}
    more = table(made({"current": "status.conditions.exists(c, c.type == 'A' && c.reason == 'B')"}))
    assert _statuses(more)["A=True"] == {
        "conditions": [{"type": "A", "status": "True", "reason": "Other"}]
    }


def test_fields_that_are_compared_are_not_equal_by_chance() -> None:
    of = table(made({"current": "status.applied == status.attempted && status.phase == 'Ready'"}))
    status = _statuses(of)["stage"]
    assert status["applied"] != status["attempted"]


def test_what_the_user_writes_is_there_from_the_start() -> None:
    of = table(made({"current": "status.ready == spec.replicas && spec.class == 'a'"}))
    fresh = of.rows[0].state.object
    assert fresh["spec"] == {"replicas": 1, "class": "Other"}
    assert "status" not in fresh


def test_states_are_bounded() -> None:
    types = " || ".join(
        f"status.conditions.exists(c, c.type == 'T{number}' && c.reason == 'R{number}')"
        for number in range(20)
    )
    phases = ", ".join(f"'p{number}'" for number in range(50))
    of = table(made({"current": types, "failed": f"status.phase in [{phases}]"}))
    assert len(of.rows) == MOST
    assert len({row.state.name for row in of.rows}) == MOST


def test_the_same_texts_give_the_same_table() -> None:
    texts = {"current": "status.phase == 'Ready'"}
    assert table(made(texts)) is table(made(texts))


def test_a_verdict_that_takes_two_facts_has_a_witness() -> None:
    both = " && ".join(
        f"status.conditions.exists(c, c.type == '{kind}' && c.status == 'True')" for kind in "AB"
    )
    of = table(made({"failed": "status.phase == 'Failed'", "current": both}))
    assert "Current" not in {row.verdict for row in of.rows}
    (witness,) = of.witnesses()
    assert witness.verdict == "Current"
    assert [each["type"] for each in witness.state.object["status"]["conditions"]] == ["A", "B"]
    single = table(made({"current": "status.phase == 'Ready'"}))
    assert not list(single.witnesses())
