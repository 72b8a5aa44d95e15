"""The known states of a kind's life, each with what the expressions of a check make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from celvet.lint.model import Value
from celvet.lint.predict.reads.terms import Steps, at_first_elements
from celvet.lint.predict.states.building import get, put
from celvet.lint.predict.states.state import State
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.values import ABSENT, mapping_at
from celvet.record import replace
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState, steps_of

STAGES = {
    "fresh": "just applied",
    "coming": "starting",
    "updating": "being updated",
    "transient": "with an error that is retried",
    "ready": "ready",
    "suspended": "suspended",
    "failing": "failing",
}


def health_facts(table: Table) -> KindFacts | None:
    """The facts of the kind, if the check is about its health."""
    facts, model = table.model.facts, table.model
    health = model.dialect.purpose == "health" and not model.root
    return facts if health else None


@lru_cache(maxsize=2)
def life_rows(table: Table) -> tuple[tuple[LifeState, Row], ...]:
    """The states of the kind's life, each with its row; none if there are no facts.

    They are in the order in which an object passes through them. Several faults use them.
    """
    facts = health_facts(table) or gate_facts(table)
    return tuple(rows_of_states(table, facts)) if facts else ()


def gate_facts(table: Table) -> KindFacts | None:
    """The facts of one of Flux's own kinds, if the check is about a dependency on it."""
    facts, model = table.model.facts, table.model
    return facts if model.gate and facts and facts.kstatus == "flux" else None


def rows_of_states(table: Table, facts: KindFacts) -> Iterator[tuple[LifeState, Row]]:
    """The states of the life of a kind, each with its row."""
    texts = _texts_of_choice(table, facts)
    for state in facts.life:
        obj: Value = dict(state.object)
        for path, text in texts.items():
            if get(obj, at_first_elements(path)) is not ABSENT:
                obj = put(obj, at_first_elements(path), text)
        words = f"in the state `{state.name}` ({STAGES[state.stage]})"
        # A gate has no verdict of its own: the expression decides when Flux goes on.
        if table.model.gate or table.model.root:
            variables = _at_root(table, obj)
            row = table.row(table.builder.state(state.name, words, "proof", variables))
            verdict = "Ready" if state.verdict == "Current" else "NotReady"
            yield replace(state, verdict=verdict), row
        else:
            yield state, table.row(State(state.name, words, "proof", obj, obj))


def _at_root(table: Table, obj: Value) -> Value:
    """The variables with an object under check, which has the metadata that expressions read."""
    root = table.builder.root
    applied_obj = mapping_at(table.builder.applied, root)
    obj_fields = {**applied_obj, **mapping_at(obj)}
    for field in ("metadata", "spec"):
        if field in obj_fields:
            obj_fields[field] = {**mapping_at(applied_obj, (field,)), **mapping_at(obj, (field,))}
    return put(table.builder.applied, root, obj_fields)


def _texts_of_choice(table: Table, facts: KindFacts) -> Mapping[Steps, str]:
    """The texts that the entry compares with fields whose text is the user's choice."""
    choices = (fact["path"] for fact in facts.content.get("facts", ()) if "chosen" in fact)
    fields = {path: table.reading.fields.get(path) for path in map(steps_of, choices)}
    texts = {
        path: next((value for value in field.values if isinstance(value, str)), None)
        for path, field in fields.items()
        if field
    }
    return {path: text for path, text in texts.items() if text is not None}
