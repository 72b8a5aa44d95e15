"""Verdicts from a status of an older generation, and guards that do not cover every use."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Value
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.vacuous import vacuity
from celvet.lint.predict.reads.reader import guarded
from celvet.lint.predict.reads.terms import At, Steps, definite, general, term
from celvet.lint.predict.states.building import CannotBuildError, get, put
from celvet.lint.predict.states.values import GENERATION
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.values import ABSENT

_FINAL = ("Current", "Failed")


def stale(table: Table) -> Iterator[Diagnosis]:
    """At most one diagnosis: the first verdict that an outdated condition decides."""
    yield from _gate(table) if table.model.gate else _entry(table)


def _entry(table: Table) -> Iterator[Diagnosis]:
    """`how` is `mixed` if another expression compares the generation of conditions."""
    paths = [(*each, None, "observedGeneration") for each in table.builder.lists]
    how = "mixed" if any(path in table.reading.fields for path in paths) else "condition"
    for row in table.rows:
        role = table.model.role(row.verdict) if row.verdict in _FINAL else ""
        decided = row.state.stage == "stale" and role and _reads(table, role)
        if decided and not vacuity(table.model.programs[role], row.state.variables):
            yield Diagnosis(fault="stale", role=role, row=row, how=how)
            return


def _reads(table: Table, role: str) -> bool:
    """Whether an expression reads the conditions; nothing else is outdated."""
    return any(path in table.builder.lists for path in table.read_by(role).conditions())


def _gate(table: Table) -> Iterator[Diagnosis]:
    """A gate that is true replaces the controller's own comparison of the generations."""
    place = (*table.model.root, "status", "observedGeneration")
    trusts = table.model.root and table.builder.lists and table.builder.shape.has(place)
    gate = table.model.role("Ready")
    open_ = table.proof({gate: True}).row if trusts and gate else None
    if open_ is None:
        return
    try:
        variables = put(_behind(table, open_.state.variables), place, GENERATION - 1)
    except CannotBuildError:
        return
    words = "with a status from the previous generation"
    row = table.altered(open_, "behind", words, variables)
    if row.true(gate):
        name = table.model.root[0]
        same = f"{name}.metadata.generation == {name}.status.observedGeneration"
        yield Diagnosis(fault="stale", role=gate, row=row, how="gate", detail=same)


def _behind(table: Table, variables: Value) -> Value:
    """The object with conditions of the generation before, as its controller leaves them."""
    for path in map(definite, table.builder.lists):
        elements = get(variables, path)
        for index in range(len(elements) if isinstance(elements, list) else 0):
            place = (*path, index, "observedGeneration")
            if get(variables, place) is not ABSENT:
                variables = put(variables, place, GENERATION - 1)
    return variables


def unguarded(table: Table) -> Iterator[Diagnosis]:
    """An error before the first status, at a field that the expression guards elsewhere.

    Only `dep` allows a guard against a missing `status`.
    """
    guards = {path for tree in table.model.trees() for path in guarded(tree)}
    avoidable = ("empty", "fresh") if table.model.root else ("empty",)
    early = (row for row in table.rows if row.state.name in avoidable and row.verdict == "Unknown")
    for row in early if guards else ():
        if role := next((role for role in row.outcomes if row.error(role)), ""):
            if _missing(table, role, row) in guards:
                yield Diagnosis(fault="unguarded", role=role, row=row, detail=row.error(role))
            return


def _missing(table: Table, role: str, row: Row) -> Steps:
    """The field whose absence is the error of an expression; empty for any other error."""
    trace = table.model.programs[role].trace(row.state.variables)
    found = term(trace.deciding()[-1].node, {})
    return general(found.path) if isinstance(found, At) else ()
