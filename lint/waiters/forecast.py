"""What a waiter will do with an object over the life of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from celvet.lint.model import ObjectRef, Value
from celvet.lint.values import get, object_ref_of, text_at
from celvet.lint.waiters.waiter import Effect, Waiter, WaiterJudgement
from celvet.record import record
from celvet.schemas import KindFacts, kind_facts
from celvet.schemas.facts import LifeState
from celvet.schemas.kind_files import is_stateless

Trouble: TypeAlias = Literal["fails early", "never ready", "ready early", "failure unseen"]
"""A wrong judgement, the worst first: an error though the object recovers; no end though it is
ready; an end though it is still coming up; and a final failure that counts as ready."""

_WORST_FIRST: tuple[Trouble, ...] = ("fails early", "never ready", "ready early", "failure unseen")
_COMING = frozenset({"fresh", "coming", "updating"})


@record(kw_only=True)
class StateForecast:
    """A state of the life, what the waiter makes of it, and what is wrong with that."""

    state: LifeState
    judgement: WaiterJudgement
    trouble: Trouble | None


@record(kw_only=True)
class Forecast:
    """An object and its states. `facts` is None for a kind that the catalogue does not have."""

    object: ObjectRef
    facts: KindFacts | None
    states: tuple[StateForecast, ...]

    @property
    def is_known(self) -> bool:
        """Whether the states of the kind are known, and the waiter can judge one."""
        return any(item.judgement.effect != "unknown" for item in self.states)

    @property
    def troubles(self) -> Sequence[StateForecast]:
        """The states with a trouble, the worst trouble first."""
        states = [item for item in self.states if item.trouble]
        return sorted(states, key=lambda item: _WORST_FIRST.index(item.trouble or "ready early"))

    @property
    def severity(self) -> int:
        """The place of the worst trouble among all that there are; the lowest is the worst."""
        troubles = self.troubles
        return _WORST_FIRST.index(troubles[0].trouble or "ready early") if troubles else 99


def forecast(
    obj: Value, waiter: Waiter, now: datetime, directories: Sequence[Path] = ()
) -> Forecast:
    """The judgements of a waiter over the life of an object.

    States that older releases of the controller alone have are left out, and those in which the
    object is switched off on purpose, and that need what its spec lacks. An object without a status
    has one state.
    """
    ref = object_ref_of(obj)
    kind = ref.group_kind
    facts = kind_facts(kind.group, kind.kind, directories)
    if facts and get(obj, ("spec",)) is not None:  # else only the kind is given
        needs = facts.needs.values()
        facts = facts.without(
            frozenset(need for need in needs if not need.is_met(get(obj, need.path)))
        )
    life = facts.life if facts else ()
    if not facts and is_stateless(kind.group, kind.kind):
        life = (LifeState(name="stored", stage="ready", verdict="Current", object=obj),)
    return Forecast(object=ref, facts=facts, states=tuple(_states(obj, life, waiter, now)))


def _states(
    obj: Value, life: Sequence[LifeState], waiter: Waiter, now: datetime
) -> Iterator[StateForecast]:
    names = {key: text_at(obj, (key,)) for key in ("apiVersion", "kind")}
    for state in life:
        if state.until or state.stage == "suspended":
            continue
        judgement = waiter.judge({**state.object, **names}, now)
        yield StateForecast(
            state=state, judgement=judgement, trouble=trouble_of(state, judgement.effect)
        )


def trouble_of(state: LifeState, effect: Effect) -> Trouble | None:
    """What is wrong with a judgement of a state that has this effect.

    Nothing is said of an error that is tried again and counts as ready: a waiter that looks at the
    condition of an older generation can do no better.
    """
    if effect == "fails" and state.stage != "failing":
        return "fails early"
    if effect == "waits" and state.stage == "ready":
        return "never ready"
    if effect == "ready" and state.verdict == "Failed":
        return "failure unseen"
    if effect == "ready" and state.stage in _COMING and state.verdict == "InProgress":
        return "ready early"
    return None
