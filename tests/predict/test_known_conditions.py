"""Which early states a kind's controller is known not to leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.lint.model import GroupKind
from celvet.lint.predict import diagnose
from celvet.lint.predict.states.known_conditions import (
    OF_OBJECTS,
    OF_PARENTS,
    SOONER,
    early_of,
    first_conditions,
)
from tests.predict.models import made

_CASES = yaml.safe_load(
    Path(__file__).with_name("known_conditions.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_states_without_a_condition(case: dict[str, Any]) -> None:
    found = diagnose(made(case["expressions"], GroupKind(*case["kind"])))
    first = next(each for each in found if each.fault == "premature")
    assert first.row is not None
    met = "unmet" if first.unmet else "met"
    assert [first.role, first.row.state.name, met] == case["found"]


@pytest.mark.parametrize("rows", [OF_OBJECTS + SOONER, OF_PARENTS], ids=["objects", "parents"])
def test_a_kind_is_listed_once(rows: Any) -> None:
    kinds = [(group, kind) for group, names, _ in rows for kind in names]
    assert len(kinds) == len(set(kinds))


def test_nothing_is_known_of_other_lists() -> None:
    assert first_conditions(GroupKind("cert-manager.io", "Issuer"), "status.conditions") == {
        "Ready"
    }
    assert not first_conditions(
        GroupKind("cert-manager.io", "Issuer"), "status.parents[0].conditions"
    )
    assert not first_conditions(GroupKind("cert-manager.io", "Issuer"), "conditions")


def test_the_condition_that_is_there_is_one_of_the_kind() -> None:
    text = "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')"
    found = diagnose(made({"current": text}, GroupKind("cert-manager.io", "Certificate")))
    early = next(each.row for each in found if each.fault == "premature")
    assert early is not None
    assert early.state.description == "with a condition `Issuing` and none of type `Ready`"


def test_what_may_be_alone_is_not_the_first() -> None:
    kinds = [GroupKind(group, kind) for group, names, _ in OF_OBJECTS for kind in names]
    assert all(
        set(early_of(kind, "status.conditions")) == first_conditions(kind, "status.conditions")
        for kind in kinds
    )
    assert early_of(GroupKind("cert-manager.io", "Certificate"), "status.conditions") == (
        "Issuing",
    )
    assert not early_of(GroupKind("cert-manager.io", "Certificate"), "status.other.conditions")
