"""The entries of Flux's cheat sheet are wrong as the page says; the corrected ones never are."""

from __future__ import annotations

import pytest

from celvet.lint.model import GroupKind
from docs.cheat_sheet import PAGE, SHEET, facts_of, wrong
from tests import libyaml

_RIGHT = {"SealedSecret", "FluxInstance", "ResourceSetInputProvider"}
"""Kinds for which the sheet is right too."""

_GROUP = "fluxcd.controlplane.io"
"""The group that has one entry for all its kinds."""


def test_all_sixteen_expressions_are_there_and_those_for_a_group() -> None:
    alone = [entry for kind, entry in SHEET.items() if kind.group != _GROUP]
    assert sum(map(len, alone)) == 16
    assert {kind.kind for kind in SHEET if kind.group == _GROUP} == {
        "FluxInstance",
        "ResourceSet",
        "ResourceSetInputProvider",
    }


@pytest.mark.parametrize("kind", SHEET, ids=str)
def test_the_corrected_entry_is_right_on_each_state(kind: GroupKind) -> None:
    facts = facts_of(kind)
    assert {"fresh", "ready"} <= {state.stage for state in facts.life}
    assert [*wrong(facts, facts.entry)] == []


@pytest.mark.parametrize("kind", SHEET, ids=str)
def test_the_entry_of_the_sheet_is_wrong_where_the_page_says_so(kind: GroupKind) -> None:
    found = [*wrong(facts_of(kind), SHEET[kind])]
    section = PAGE.read_text().partition(f"## {kind}\n")[2].partition("\n## ")[0]
    assert bool(found) == (kind.kind not in _RIGHT)
    assert [line for line in section.splitlines() if line.startswith("- `")] == found


@pytest.mark.parametrize("kind", SHEET, ids=str)
def test_the_page_shows_the_entry_itself(kind: GroupKind) -> None:
    section = PAGE.read_text().partition(f"## {kind}\n")[2].partition("\n## ")[0]
    shown = libyaml.load(section.split("```yaml\n")[2].partition("```")[0])
    assert {**shown[0], **facts_of(kind).entry} == shown[0]
