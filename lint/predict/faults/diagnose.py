"""All faults of a check, one diagnosis for each cause."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import partial
from weakref import WeakKeyDictionary

from celvet.lint.arbiter.faults import Source, choose_faults
from celvet.lint.causes import Cause
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.life import find_hidden_in_life, find_stale_in_life
from celvet.lint.predict.faults.life_rows import health_facts
from celvet.lint.predict.faults.premature import find_premature, find_stale, find_unguarded
from celvet.lint.predict.faults.shadowed import (
    find_hidden,
    find_missing_fields,
    find_negation,
    find_never_true,
    find_vacuous,
)
from celvet.lint.predict.faults.unwritten import find_unwritten
from celvet.lint.predict.truth_table import Table, table


def diagnose(model: CheckModel) -> tuple[Diagnosis, ...]:
    """The faults of a check; of several for one cause, only the one that the arbiter chooses."""
    key = table(model)
    if key not in _DIAGNOSES:
        known_kind = health_facts(key) is not None
        _DIAGNOSES[key] = choose_faults(_sources(key), known_kind=known_kind)
    return _DIAGNOSES[key]


_DIAGNOSES: MutableMapping[Table, tuple[Diagnosis, ...]] = WeakKeyDictionary()
"""The diagnoses of the tables that are remembered."""


def _sources(table: Table) -> Iterator[Source[Diagnosis]]:
    """All searches for faults that make sense for the purpose of a check."""
    purpose, facts = table.model.dialect.purpose, health_facts(table)
    if purpose != "text":
        yield (Cause.NEVER_TRUE,), partial(find_never_true, table)
    unwritten = (Cause.UNWRITTEN, Cause.STUCK, Cause.SOMETIMES_STUCK)
    yield unwritten, partial(find_unwritten, table)
    # Only an entry that is asked again and again while an object lives can be too early, or out of
    # date.
    if purpose not in ("health", "readiness"):
        return
    premature = (Cause.PREMATURE, Cause.UNNAMED_STAGE, Cause.UNLIKELY)
    yield premature, partial(find_premature, table)
    # Where only conditions have a generation, what an expression reads of them shows more.
    stale: tuple[Source[Diagnosis], ...] = (
        ((Cause.STALE_IN_LIFE,), partial(find_stale_in_life, table)),
        ((Cause.STALE,), partial(find_stale, table)),
    )
    yield from reversed(stale) if facts and facts.generation_in == ("conditions",) else stale
    yield (Cause.HIDDEN_IN_LIFE,), partial(find_hidden_in_life, table)
    yield (Cause.HIDDEN, Cause.BLOCKED), partial(find_hidden, table)
    yield (Cause.NEGATION,), partial(find_negation, table)
    yield (Cause.VACUOUS,), partial(find_vacuous, table)
    yield (Cause.MISSING_FIELD,), partial(find_missing_fields, table)
    yield (Cause.UNGUARDED,), partial(find_unguarded, table)
