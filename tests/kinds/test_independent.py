"""Entries on states that are not ours: recorded by others or from operators, or written unseen.

Each file of `independent/` names its source. A state has the verdict that is right by the code of
the controller; where the source claims something else, `because` says why it is not followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from celvet.schemas.known_kinds import object_of
from tests import libyaml
from tests.kinds.folding import by_kstatus, folded
from tests.kinds.known import facts_of
from tests.properties import sample

_OPERATORS = Path(__file__).parents[1] / "recorder" / "operators"
_FILES = sorted((Path(__file__).parent / "independent").glob("*.yaml"))


def _states() -> list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    contents = [(file.stem, libyaml.load(file.read_bytes())) for file in _FILES]
    return [(name, content, state) for name, content in contents for state in content["states"]]


_STATES = _states()


@pytest.mark.parametrize(
    ("claims", "state"),
    [
        pytest.param(content.get("claims", {}), state, id=f"{name}-{state['kind']}-{index}")
        for index, (name, content, state) in sample([*enumerate(_STATES)])
    ],
)
def test_the_entry_is_right(claims: Mapping[str, list[str]], state: Mapping[str, Any]) -> None:
    kind, _, group = state["kind"].partition(".")
    facts = facts_of(group, kind)
    whole = {**state, "object": {"spec": {}} | state.get("object", {})}
    obj = object_of(facts.content, whole)
    verdict, error = folded(facts.entry, obj) if facts.entry else (by_kstatus(obj), "")
    if verdict == "Unknown" and "status" not in state:
        verdict, error = "InProgress", ""  # only the missing `status` cannot be asked for
    assert verdict == state["verdict"], error
    if "claim" in state:
        follows = state["verdict"] in claims[state["claim"]]
        assert follows != ("because" in state), "a reason is for what differs from the claim"


def test_what_was_recorded_can_be_recorded_again() -> None:
    for file in _FILES:
        source = libyaml.load(file.read_bytes())["source"]
        if "recorded" in source:
            operator = libyaml.load((_OPERATORS / file.name).read_bytes())
            told = (source["recorded"], source["release"])
            assert told == (operator["repository"], operator["release"]), file.name
