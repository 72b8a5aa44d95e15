"""Finds verdicts that come before anything has happened.

A `Failed` ends the wait of `fluxcd/pkg/ssa` at once, and a `Current` or a gate
that is true lets dependants start. So no state before the object's controller
has written its first status may give either, and none of an older generation. At the
end: guards that do not cover every use.
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Confidence, Value
from celvet.lint.predict.faults.diagnosis import (
    CountersAtZero,
    NothingHappened,
    NothingMatches,
    OldCondition,
    OpenGate,
    Premature,
    Stale,
    Unguarded,
    UnnamedStage,
)
from celvet.lint.predict.faults.gates import premature_gate, stale_gate
from celvet.lint.predict.faults.life import premature_in_life, stale_confidence
from celvet.lint.predict.faults.life_rows import health_facts, life_rows
from celvet.lint.predict.faults.vacuous import find_vacuity
from celvet.lint.predict.reads.field_names import is_stage
from celvet.lint.predict.reads.reader import guarded_fields
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import (
    At,
    Steps,
    at_first_elements,
    path_text,
    term,
    without_indices,
)
from celvet.lint.predict.states.building import CannotBuildError, get, put
from celvet.lint.predict.states.neutral_values import GENERATION
from celvet.lint.predict.states.state import Stage
from celvet.lint.predict.states.workloads import keeps_zero
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.values import ABSENT

_VERDICTS = ("Failed", "Current", "Ready")
_FINAL = ("Current", "Failed")
_WITHOUT_CONDITIONS: tuple[Stage, ...] = ("other", "none")
_LASTING = ("failing", "transient", "suspended")
"""Stages that do not end by themselves, except for `ready`."""


def find_premature(table: Table) -> Iterator[Premature]:
    """At most one for each expression: the first state in which its verdict comes too early."""
    roles_in_life = set()
    if facts := health_facts(table):
        for fault in premature_in_life(table, facts):
            roles_in_life.add(fault.role)
            if table.read_by(fault.role).fields:  # else it is meant for every object
                yield fault
        # The API server, not a controller, writes the status of a new core object.
        if facts.kstatus != "core":
            return
    for verdict in _VERDICTS:
        role = table.model.role(verdict)
        if role and role not in roles_in_life and _waits(table, role):
            first_fault = _premature(table, role, verdict)
            if first_fault:
                yield first_fault
            elif table.model.gate:
                yield from premature_gate(table)


def _waits(table: Table, role: str) -> bool:
    """Whether an expression reads anything that comes after the object was applied."""
    return any(table.builder.arrives(path) for path in table.read_by(role).fields)


def _premature(table: Table, role: str, verdict: str) -> Premature | None:
    reading = table.read_by(role)
    if fault := next(_before_anything(table, role, verdict), None):
        return fault
    # An expression that compares counters is true while all of them are 0.
    compares_counters = any(map(table.builder.counts, reading.leaves()))
    compares_counters = compares_counters and keeps_zero(table.model.group_kind, reading)
    if compares_counters and (row := _first_row(table, verdict, "counting")):
        return Premature(role=role, row=row, proof=CountersAtZero())
    # An expression that reads one field, its stage, decides about stages that it leaves out.
    field = _only_stage(table, reading)
    unlike: Stage = "success" if verdict == "Failed" else "trouble"
    if field and (row := _first_row(table, verdict, "stage", unlike)):
        return Premature(role=role, row=row, proof=UnnamedStage(field))
    return None


def _before_anything(table: Table, role: str, verdict: str) -> Iterator[Premature]:
    """The faults in states before anything has happened, the likely ones first."""
    for row in _possible_rows(table, verdict, "bare"):
        yield _with_cause(table, role, row)
    if health_facts(table):  # its life has the conditions that it really gets
        return
    if not table.read_by(role).lists and not table.read_by(role).conditions():
        return
    # A list without any condition is rare, so a condition of another type is a better example.
    for stage in _WITHOUT_CONDITIONS:
        for row in _possible_rows(table, verdict, stage):
            yield _with_cause(table, role, row)
    for row in _possible_rows(table, verdict, "condition"):
        fault = _with_cause(table, role, row)
        if isinstance(fault.proof, NothingMatches):
            yield fault


def _lacks_first(table: Table, path: Steps, row: Row) -> bool:
    """Whether a list of conditions lacks one that the controller is known to write first."""
    conditions = get(row.state.variables, at_first_elements(path))
    if not isinstance(conditions, list):
        return False
    facts = table.model.facts
    lists = facts.first if facts else {}
    first_types = lists.get(path_text(path[len(table.builder.root) :]), frozenset())
    # A CRD may have any default.
    types = (condition.get("type") for condition in conditions if isinstance(condition, dict))
    present_types = {name for name in types if isinstance(name, str)}
    # The states have no conditions of types that no expression reads.
    return not first_types.intersection(table.reading.values([path], "type")) <= present_types


def _first_row(table: Table, verdict: str, *stages: Stage) -> Row | None:
    return next((row for stage in stages for row in _rows(table, verdict, stage)), None)


def _rows(table: Table, verdict: str, stage: Stage) -> Iterator[Row]:
    return (row for row in table.rows if row.verdict == verdict and row.state.stage == stage)


def _possible_rows(table: Table, verdict: str, stage: Stage) -> Iterator[Row]:
    """The rows with a verdict in a stage in which a controller of the kind may leave an object."""
    for row in _rows(table, verdict, stage):
        if not any(_lacks_first(table, path, row) for path in table.builder.lists):
            yield row


def _with_cause(table: Table, role: str, row: Row) -> Premature:
    """The fault, with the part that is true when nothing matches, if any."""
    vacuity = find_vacuity(table.model.programs[role], row.state.variables)
    if vacuity is None:
        return Premature(role=role, row=row, proof=NothingHappened())
    roles = map(table.model.role, _VERDICTS)
    other_roles = (name for name in roles if name not in ("", role) and row.true(name))
    proof = NothingMatches(vacuity.span, vacuity.instead)
    return Premature(role=role, row=row, proof=proof, also=next(other_roles, ""))


def _only_stage(table: Table, reading: Reading) -> str:
    """The field by which alone an expression decides, if it holds the object's stage."""
    fields = [field for field in reading.leaves() if table.builder.arrives(field.path)]
    if len(fields) != 1 or not is_stage(fields[0].path) or "" in fields[0].values:
        return ""
    return path_text(fields[0].path)


def find_stale(table: Table) -> Iterator[Stale]:
    """At most one fault: the first verdict that an outdated condition decides."""
    if not table.model.gate:
        yield from _stale_entry(table)
    elif fault := next(_stale_gate(table), None):
        yield fault
    elif next(premature_gate(table), None) is None:
        yield from stale_gate(table)


def _stale_entry(table: Table) -> Iterator[Stale]:
    paths = [(*path, None, "observedGeneration") for path in table.builder.lists]
    for row in table.rows:
        role = table.model.role(row.verdict) if row.verdict in _FINAL else ""
        if row.state.stage != "stale" or not role or not _reads_conditions(table, role):
            continue
        if find_vacuity(table.model.programs[role], row.state.variables):
            continue  # nothing matches, so no condition decides
        proof = OldCondition("none")
        if any(path in table.read_by(role).fields for path in paths):
            proof = OldCondition("itself")
        elif any(path in table.reading.fields for path in paths):
            proof = OldCondition("another")
        # Who reads `observedGeneration` of a condition wanted the comparison; who never does may
        # know that the controller writes the condition before anyone can look.
        is_slip = proof.compared_by == "itself"
        confidence = Confidence.HIGH if is_slip else stale_confidence(health_facts(table))
        yield Stale(role=role, row=row, proof=proof, confidence=confidence)
        return


def _reads_conditions(table: Table, role: str) -> bool:
    """Whether an expression reads the conditions; nothing else is outdated."""
    return any(path in table.builder.lists for path in table.read_by(role).conditions())


def _stale_gate(table: Table) -> Iterator[Stale]:
    """A gate that is true replaces the controller's own comparison of the generations."""
    place = (*table.model.root, "status", "observedGeneration")
    may_trust = table.model.root and table.builder.lists and table.builder.shape.has(place)
    gate = table.model.role("Ready")
    opening_row = table.proof({gate: True}).row if may_trust and gate else None
    if opening_row is None:
        return
    try:
        variables = put(_behind(table, opening_row.state.variables), place, GENERATION - 1)
    except CannotBuildError:
        return
    words = "with a status from the previous generation"
    row = table.altered_row(opening_row, "behind", words, variables)
    if row.true(gate):
        name = table.model.root[0]
        test = f"{name}.metadata.generation == {name}.status.observedGeneration"
        yield Stale(role=gate, row=row, proof=OpenGate(test))


def _behind(table: Table, variables: Value) -> Value:
    """The object with conditions of the generation before, as its controller leaves them."""
    for path in map(at_first_elements, table.builder.lists):
        elements = get(variables, path)
        for index in range(len(elements) if isinstance(elements, list) else 0):
            place = (*path, index, "observedGeneration")
            if get(variables, place) is not ABSENT:
                variables = put(variables, place, GENERATION - 1)
    return variables


def find_unguarded(table: Table) -> Iterator[Unguarded]:
    """An error before the first status, at a field that the expression guards elsewhere.

    Only `dep` allows a guard against a missing `status`. Of a known kind, the states count in
    which an object may stay until the timeout.
    """
    guards = frozenset().union(*map(guarded_fields, table.model.trees()))
    avoidable = ("empty", "fresh") if table.model.root else ("empty",)
    rows = (row for row in table.rows if row.state.name in avoidable)
    if health_facts(table):
        rows = (
            row for state, row in life_rows(table) if state.stage in _LASTING and not state.until
        )
    unknown_rows = (row for row in rows if row.verdict == "Unknown")
    for row in unknown_rows if guards else ():
        if role := next((role for role in row.outcomes if row.error(role)), ""):
            if _missing(table, role, row) in guards:
                yield Unguarded(role=role, row=row, error=row.error(role))
            return


def _missing(table: Table, role: str, row: Row) -> Steps:
    """The field whose absence is the error of an expression; empty for any other error."""
    trace = table.model.programs[role].trace(row.state.variables)
    value = term(trace.deciding_steps()[-1].node, {})
    return without_indices(value.path) if isinstance(value, At) else ()
