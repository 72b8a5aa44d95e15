"""The same question has the same answer in each file, and entries read what lasts.

`schemas/kinds/README.md` has the answers in words.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from celvet.schemas.facts import ROLES, KindFacts, LifeState
from celvet.schemas.walk import steps
from tests.kinds.folding import folded, holds
from tests.kinds.known import facts_of, named_kinds, sampled

_PASSING = re.compile(r"message|\.matches\(|metadata\.generation == 1\b|deletionTimestamp")
"""What breaks with the next release, and what is true of the first generation alone."""

_LONGEST = 400
_MEDIAN = 200
_OFF = re.compile(r"suspend|paused?|hibernat|shutdown")

every_kind = pytest.mark.parametrize(
    "facts", sampled(), ids=lambda facts: f"{facts.kind}.{facts.group}"
)


@cache
def _all() -> list[KindFacts]:
    return [facts_of(*name) for name in named_kinds()]


def _length(entry: Mapping[str, str]) -> int:
    return sum(len(" ".join(text.split())) for text in entry.values())


@every_kind
def test_an_entry_reads_what_lasts(facts: KindFacts) -> None:
    assert not [text for text in facts.entry.values() if _PASSING.search(text)]
    assert _length(facts.entry) <= _LONGEST


def test_most_entries_are_short() -> None:
    lengths = [_length(facts.entry) for facts in _all() if facts.entry]
    assert statistics.median(lengths) < _MEDIAN


@every_kind
def test_each_expression_is_true_in_some_state(facts: KindFacts) -> None:
    entries = {"entry": facts.entry} | {name: one.entry for name, one in facts.variants.items()}
    for name, entry in entries.items():
        for role, text in entry.items():
            assert any(holds(text, state.object) for state in facts.life), f"{name}, {role}"
            verdicts = {folded(entry, state.object)[0] for state in facts.life}
            assert ROLES[role] in verdicts, f"{name}, {role} is hidden"


@every_kind
def test_no_failure_is_retried(facts: KindFacts) -> None:
    retried = facts.content["failure"].get("retried", ())
    for state in _failed(facts):
        assert not [name for name in _names(state) if name in retried], state.name


@every_kind
def test_no_verdict_contradicts_the_meanings(facts: KindFacts) -> None:
    """A failure has a word that means no passing state, or a fact that `failed` reads."""
    failed = facts.entry.get("failed", "")
    paths = [fact["path"].replace("[]", "") for fact in facts.content.get("facts", ())]
    told = any(path.rpartition(".")[2] in failed for path in paths)
    for state in facts.life:
        meanings = {meaning for _, meaning in _words(facts, state)}
        if facts.entry and state.verdict == "Failed" and not state.until:
            assert told or meanings & {"failed", "neutral"}, state.name
        if state.stage == "ready":
            assert "failed" not in meanings, state.name


@every_kind
def test_a_failure_that_only_a_sentence_tells_is_one_of_a_variant(facts: KindFacts) -> None:
    """Where nothing in the status tells a failure from what passes, the state says so."""
    if not facts.entry:
        return
    for state in facts.life:
        if state.stage != "failing" or state.verdict == "Failed" or state.until:
            continue
        by_variant = [one for one in facts.variants.values() if state.name in one.differs]
        assert by_variant or state.says, state.name


@every_kind
def test_what_the_spec_switches_off_is_ready_when_it_is_off(facts: KindFacts) -> None:
    for state, content in zip(facts.life, facts.content["life"], strict=True):
        if path := content.get("requested"):
            assert state.stage == "suspended", state.name
            value: Any = state.object
            for step in steps(path):
                value = value[step]
        if path and facts.entry:
            right = "Current" if content.get("final") else "InProgress"
            assert state.verdict == right, state.name


@every_kind
def test_the_spec_that_switches_off_is_named(facts: KindFacts) -> None:
    for state, content in zip(facts.life, facts.content["life"], strict=True):
        if state.stage == "suspended" and "requested" not in content:
            spec = state.object.get("spec", {})
            assert not [key for key in spec if _OFF.search(key) and spec[key]], state.name


@every_kind
def test_no_state_is_one_of_an_object_that_is_deleted(facts: KindFacts) -> None:
    assert not [s.name for s in facts.life if "deletionTimestamp" in s.object["metadata"]]


def _failed(facts: KindFacts) -> list[LifeState]:
    return [state for state in facts.life if state.verdict == "Failed"]


def _names(state: LifeState) -> Iterator[str]:
    """The reasons and phases of a state, as `failure.retried` may name them."""
    status = state.object.get("status", {})
    yield from (value for value in status.values() if isinstance(value, str))
    yield from (str(condition.get("reason")) for condition in _conditions(status))


def _words(facts: KindFacts, state: LifeState) -> Iterator[tuple[str, str]]:
    """The words of a state, each with its meaning."""
    status = state.object.get("status", {})
    for condition in _conditions(status):
        for types in facts.condition_lists.values():
            claim = types.get(condition["type"], {})
            told = claim.get(condition["status"]) or claim.get("other", {}).get(condition["status"])
            if told:
                reasons = told.get("reasons", {}) if isinstance(told, Mapping) else {}
                yield condition["type"], _meaning(reasons.get(condition.get("reason"), told))
    for phase in facts.content.get("phases", ()):
        value: Any = state.object
        for step in steps(phase["path"]):
            value = value.get(step) if isinstance(value, Mapping) else None
        if isinstance(value, str) and value in phase["values"]:
            yield value, _meaning(phase["values"][value])


def _meaning(told: str | Mapping[str, Any]) -> str:
    return told if isinstance(told, str) else str(told["means"])


def _conditions(value: Any) -> Iterator[Mapping[str, Any]]:
    """The conditions anywhere in a status."""
    if isinstance(value, Mapping):
        if {"type", "status"} <= value.keys():
            yield value
        for part in value.values():
            yield from _conditions(part)
    elif isinstance(value, list):
        for part in value:
            yield from _conditions(part)
