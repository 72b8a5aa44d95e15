"""Which early states a kind's controller is known not to leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.model import GroupKind
from celvet.lint.predict import diagnose
from celvet.lint.predict.faults.diagnosis import Premature
from celvet.schemas import KindFacts, kind_facts
from tests.predict.models import made
from tests.tables import read_table

_BEFORE = read_table(Path(__file__).with_name("known_before.yaml"))
_CASES = read_table(Path(__file__).with_name("known_conditions.yaml"))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_states_without_a_condition(case: dict[str, Any]) -> None:
    found = diagnose(made(case["expressions"], GroupKind(*case["kind"])))
    first = next((each for each in found if isinstance(each, Premature)), None)
    names = [first.role, first.row.state.name] if first else []
    assert names == case["found"]


def _known(kind: str) -> KindFacts:
    name, _, group = kind.partition(".")
    facts = kind_facts(group, name)
    assert facts is not None, kind
    return facts


@pytest.mark.parametrize("path", ["status.conditions", "status.parents[0].conditions"])
def test_what_was_known_to_come_first_still_is(path: str) -> None:
    """For each kind in the catalogue, whichever file has it."""
    for kind, types in _BEFORE[path].items():
        assert _known(kind).first[path] >= set(types), kind
        assert set(_known(kind).early[path]) >= set(types), kind


def test_what_may_be_alone_is_not_the_first() -> None:
    for kind in _BEFORE["alone"]:
        facts = _known(kind)
        assert facts.early["status.conditions"], kind
        assert not facts.first["status.conditions"], kind


def test_nothing_is_known_of_other_lists() -> None:
    issuer = _known("Issuer.cert-manager.io")
    assert issuer.first == {"status.conditions": {"Ready"}}


def test_the_condition_that_is_there_is_one_of_the_kind() -> None:
    text = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')"
    found = diagnose(made({"current": text}, GroupKind("cert-manager.io", "Certificate")))
    early = next(each.row for each in found if isinstance(each, Premature))
    assert early.state.description == ("in the state `issuing, before Ready is written` (starting)")
