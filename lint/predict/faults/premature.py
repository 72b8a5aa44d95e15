"""Finds verdicts that come before anything has happened.

A `Failed` ends the wait of `fluxcd/pkg/ssa` at once, and a `Current` or a gate
that is true lets dependants start. So no state before the object's controller
has written its first status may give either, and none of an older generation. At the
end: guards that do not cover every use.
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Value
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.life import early_in_life, known, life
from celvet.lint.predict.faults.vacuous import vacuity
from celvet.lint.predict.reads.field_names import is_stage
from celvet.lint.predict.reads.reader import guarded
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import At, Steps, definite, general, shown, term
from celvet.lint.predict.states.building import CannotBuildError, get, put
from celvet.lint.predict.states.neutral_values import GENERATION
from celvet.lint.predict.states.state import Stage
from celvet.lint.predict.states.workloads import keeps_zero
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.values import ABSENT

_VERDICTS = ("Failed", "Current", "Ready")
_FINAL = ("Current", "Failed")
_LASTING = ("failing", "transient", "suspended")
"""Stages that do not end by themselves, except for `ready`."""


def premature(table: Table) -> Iterator[Diagnosis]:
    """At most one for each expression: the first state in which its verdict comes too early."""
    reported = set()
    if facts := known(table):
        for each in early_in_life(table, facts):
            reported.add(each.role)
            if table.read_by(each.role).fields:  # else it is meant for every object
                yield each
        # the API server, not a controller, writes the status of a new core object
        if facts.kstatus != "core":
            return
    for verdict in _VERDICTS:
        role = table.model.role(verdict)
        if role and role not in reported and _waits(table, role):
            found = _premature(table, role, verdict)
            if found:
                yield found


def _waits(table: Table, role: str) -> bool:
    """Whether an expression reads anything that comes after the object was applied."""
    return any(table.builder.arrives(path) for path in table.read_by(role).fields)


def _premature(table: Table, role: str, verdict: str) -> Diagnosis | None:
    read = table.read_by(role)
    if first := next(_early(table, role, verdict), None):
        return first
    counts = any(map(table.builder.counts, read.leaves()))
    counts = counts and keeps_zero(table.model.group_kind, read)
    if counts and (row := _first(table, verdict, "counting")):
        return Diagnosis(fault="premature", role=role, row=row, how="counting")
    stage = _only_stage(table, read)
    unlike: Stage = "success" if verdict == "Failed" else "trouble"
    if stage and (row := _first(table, verdict, "stage", unlike)):
        return Diagnosis(fault="premature", role=role, row=row, how="stage", detail=stage)
    return None


def _early(table: Table, role: str, verdict: str) -> Iterator[Diagnosis]:
    """The states before anything has happened, the likely ones first."""
    for row in _left(table, verdict, "bare"):
        yield _with_cause(table, role, row)
    if known(table):  # its life has the conditions that it really gets
        return
    if not table.read_by(role).lists and not table.read_by(role).conditions():
        return
    # a list without any condition is rare, so a condition of another type is a better example
    for row in (*_left(table, verdict, "other"), *_left(table, verdict, "none")):
        yield _with_cause(table, role, row)
    for row in _left(table, verdict, "condition"):
        found = _with_cause(table, role, row)
        if found.how == "vacuous":
            yield found


def _lacks_first(table: Table, path: Steps, row: Row) -> bool:
    """Whether a list of conditions lacks one that the controller is known to write first."""
    conditions = get(row.state.variables, definite(path))
    if not isinstance(conditions, list):
        return False
    facts = table.model.facts
    types_first = facts.first if facts else {}
    first = types_first.get(shown(path[len(table.builder.root) :]), frozenset())
    # a CRD may have any default
    types = (each.get("type") for each in conditions if isinstance(each, dict))
    there = {each for each in types if isinstance(each, str)}
    # The states have no conditions of types that no expression reads.
    return not first.intersection(table.reading.values([path], "type")) <= there


def _first(table: Table, verdict: str, *stages: Stage) -> Row | None:
    return next((row for stage in stages for row in _rows(table, verdict, stage)), None)


def _rows(table: Table, verdict: str, stage: Stage) -> Iterator[Row]:
    return (row for row in table.rows if row.verdict == verdict and row.state.stage == stage)


def _left(table: Table, verdict: str, stage: Stage) -> Iterator[Row]:
    """The same, without states in which no known controller of the kind leaves an object."""
    for row in _rows(table, verdict, stage):
        if not any(_lacks_first(table, path, row) for path in table.builder.lists):
            yield row


def _with_cause(table: Table, role: str, row: Row) -> Diagnosis:
    """The diagnosis, with the part that is true when nothing matches, if any."""
    found = vacuity(table.model.programs[role], row.state.variables)
    if found is None:
        return Diagnosis(fault="premature", role=role, row=row, how="plain")
    roles = map(table.model.role, _VERDICTS)
    others = (other for other in roles if other not in ("", role) and row.true(other))
    return Diagnosis(
        fault="premature",
        role=role,
        row=row,
        how="vacuous",
        span=found.span,
        other=next(others, ""),
        detail=found.instead,
    )


def _only_stage(table: Table, read: Reading) -> str:
    """The field by which alone an expression decides, if it holds the object's stage."""
    fields = [each for each in read.leaves() if table.builder.arrives(each.path)]
    if len(fields) != 1 or not is_stage(fields[0].path) or "" in fields[0].values:
        return ""
    return shown(fields[0].path)


def stale(table: Table) -> Iterator[Diagnosis]:
    """At most one diagnosis: the first verdict that an outdated condition decides."""
    yield from _gate(table) if table.model.gate else _entry(table)


def _entry(table: Table) -> Iterator[Diagnosis]:
    """`how` is `mixed` if another expression compares the generation of conditions.

    It is `compared` if the expression itself does.
    """
    paths = [(*each, None, "observedGeneration") for each in table.builder.lists]
    mixed = any(path in table.reading.fields for path in paths)
    for row in table.rows:
        role = table.model.role(row.verdict) if row.verdict in _FINAL else ""
        decided = row.state.stage == "stale" and role and _reads(table, role)
        if decided and not vacuity(table.model.programs[role], row.state.variables):
            own = any(path in table.read_by(role).fields for path in paths)
            how = "compared" if own else "mixed" if mixed else "condition"
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

    Only `dep` allows a guard against a missing `status`. Of a known kind, the states count in
    which an object may stay until the timeout.
    """
    guards = {path for tree in table.model.trees() for path in guarded(tree)}
    avoidable = ("empty", "fresh") if table.model.root else ("empty",)
    rows = (row for row in table.rows if row.state.name in avoidable)
    if known(table):
        rows = (row for state, row in life(table) if state.stage in _LASTING and not state.until)
    early = (row for row in rows if row.verdict == "Unknown")
    for row in early if guards else ():
        if role := next((role for role in row.outcomes if row.error(role)), ""):
            if _missing(table, role, row) in guards:
                yield Diagnosis(fault="unguarded", role=role, row=row, detail=row.error(role))
            return


def _missing(table: Table, role: str, row: Row) -> Steps:
    """The field whose absence is the error of an expression; empty for any other error."""
    trace = table.model.programs[role].trace(row.state.variables)
    found = term(trace.deciding_steps()[-1].node, {})
    return general(found.path) if isinstance(found, At) else ()
