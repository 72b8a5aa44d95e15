"""What fixes and help make of the entries that people write is right along the kind's life."""

from __future__ import annotations

import re
from typing import Any

import pytest

from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.schemas.facts import KindFacts
from tests import libyaml
from tests.kinds.folding import folded
from tests.kinds.known import manifest, sampled

_ROLES = ("inProgress", "failed", "current")
_PROPOSED = re.compile(r"[Ww]rite `(?:(inProgress|failed|current): )?([^`]+)`")
_REMOVED = re.compile(r"[Rr]emove `(\w+)`")


def _manifest(facts: KindFacts, entry: dict[str, str]) -> bytes:
    api_version = f"{facts.group}/{facts.content['crd']['versions'][0]}".lstrip("/")
    return manifest(api_version, facts.kind, entry)


def _wrong(facts: KindFacts, entry: dict[str, str]) -> set[tuple[str, str]]:
    """The states that get a wrong verdict, with it; an error waits like `InProgress`."""
    found = set()
    for state in facts.life:
        verdict = folded(entry, state.object)[0].replace("Unknown", "InProgress")
        if not state.until and verdict != state.verdict:
            found.add((state.name, verdict))
    return found


def _pitfalls() -> list[Any]:
    return [
        pytest.param(
            facts,
            {role: each[role] for role in _ROLES if role in each},
            id=f"{facts.kind}.{facts.group}-{number}",
        )
        for facts in sampled()
        for number, each in enumerate(facts.content.get("pitfalls", ()))
        if "current" in each
    ]


every_pitfall = pytest.mark.parametrize(("facts", "entry"), _pitfalls())


@every_pitfall
def test_a_fix_adds_no_wrong_verdict(facts: KindFacts, entry: dict[str, str]) -> None:
    done = fix(_manifest(facts, entry), "a.yaml", Settings(), unsafe=False)
    (fixed,) = libyaml.load(done.after)["spec"]["healthCheckExprs"]
    after = {role: fixed[role] for role in _ROLES if role in fixed}
    before = _wrong(facts, entry)
    assert _wrong(facts, after) <= before
    assert not done.titles or _wrong(facts, after) < before or after.keys() < entry.keys()


@every_pitfall
def test_help_in_the_place_of_what_it_is_about_adds_none(
    facts: KindFacts, entry: dict[str, str]
) -> None:
    """All help for one entry goes together, as somebody would follow it."""
    after = dict(entry)
    for found in lint_text(_manifest(facts, entry), settings=Settings()).findings:
        for role, text in _PROPOSED.findall(found.help):
            after[role or str(found.where.path[-1])] = text
        for role in _REMOVED.findall(found.help):
            after.pop(role, None)
    before = _wrong(facts, entry)
    ends = {each for each in _wrong(facts, after) if each[1] in ("Failed", "Current")}
    # An update that was taken for a failure may be taken for the version before instead.
    updating = {state.name for state in facts.life if state.stage == "updating"}
    assert {each for each in ends - before if each[0] not in updating} == set()
