"""The `kubectl wait` that tells whether an object is ready, from the facts about its kind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from celvet.lint.waiters.kubectl_wait import ForError, parse_for
from celvet.record import record
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState


@record
class KubectlLine:
    """A text for `--for`, and the states in which it is met though the object is not ready."""

    text: str
    early: tuple[LifeState, ...]


def kubectl_line(facts: KindFacts, now: datetime) -> KubectlLine | None:
    """The test that is met in each ready state, and in the fewest others; None without one.

    It is tried on every state of the life. kubectl can only compare one condition or one field.
    """
    lines = []
    for text in candidates(facts):
        try:
            waiter = parse_for(text)
        except ForError:  # a value with `=` cannot be compared with
            continue
        met = {
            state.name
            for state in facts.life
            if waiter.judge(dict(state.object), now).effect == "ready"
        }
        ready = [state for state in facts.life if state.stage == "ready"]
        if ready and all(state.name in met for state in ready):
            states = (state for state in facts.life if state.verdict != "Current")
            early = tuple(state for state in states if state.name in met)
            # That a field is there tells all of the states apart, or nothing.
            if not early or not text.endswith("}"):
                lines.append(KubectlLine(text, early))
    return min(lines, key=lambda line: len(line.early), default=None)


def candidates(facts: KindFacts) -> Iterator[str]:
    """Each condition and value of a phase that means ready, and the fields that appear."""
    for name, status, meaning in facts.condition_meanings():
        if meaning == "current":
            yield f"condition={name}" + ("" if status == "True" else f"={status}")
    for phase in facts.phases:
        for value in phase.values_for("current") if "[" not in phase.path else ():
            yield f"jsonpath={{.{phase.path}}}={value}"
    paths = (fact["path"].removesuffix("[]") for fact in facts.content.get("facts", ()))
    yield from (f"jsonpath={{.{path}}}" for path in paths if "[" not in path)
