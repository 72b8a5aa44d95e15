"""Assertions about conditions and fields, for a system that has no expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.lint.model import Value
from celvet.lint.suggest.snippets.fill import filled
from celvet.regex import regex
from celvet.schemas import KindFacts

Assertion: TypeAlias = dict[str, Value]
_PATH = regex(r"[a-zA-Z0-9]+(\.[a-zA-Z0-9]+)*")
_HOPES = {"current": 0, "inProgress": 1, "failed": 1, "transient": 1}


def strongest(
    facts: KindFacts,
    forms: Mapping[str, Any],
    errors: Callable[[Sequence[Assertion]], int | None],
) -> list[Assertion]:
    """The fewest assertions that hold in each ready state and in the fewest others; may be empty.

    `errors` counts the states with a wrong verdict; it is None if a ready state is among them.
    """
    chosen = [item for item in _assertions(facts, forms) if errors([item]) is not None]
    least = errors(chosen) if chosen else None
    for item in reversed(chosen):
        fewer = [other for other in chosen if other is not item]
        count = errors(fewer) if fewer else None
        if count is not None and least is not None and count <= least:
            chosen = fewer
    return chosen if least is not None else []


def _assertions(facts: KindFacts, forms: Mapping[str, Any]) -> Iterator[Assertion]:
    """What means that an object is ready, then the absence of what means that it is not."""
    conditions = [*_conditions(facts)]
    for hope, kind, status in conditions:
        if hope == 0:
            yield filled(forms["condition"], {"type": kind, "status": status})
    for phase in facts.phases:
        values = [value for value, meaning in phase.values.items() if meaning == "current"]
        for value in values if _PATH.fullmatch(phase.path) else ():
            yield filled(forms["field"], {"path": phase.path, "value": value})
    for hope, kind, status in conditions:
        if hope:
            other = "False" if status == "True" else "True"
            yield filled(forms["condition"], {"type": kind, "status": other})


def _conditions(facts: KindFacts) -> Iterator[tuple[int, str, str]]:
    for kind, claim in facts.content.get("conditions", {}).items():
        for status in ("True", "False"):
            meaning = claim.get(status)
            word = meaning if isinstance(meaning, str) or meaning is None else meaning.get("means")
            if word in _HOPES:
                yield _HOPES[word], kind, status
