"""Judges the expression of a dependency over the life of one of Flux's own kinds.

Without it, kustomize-controller and helm-controller ask for the generation and the condition
`Ready`, Flux Operator asks kstatus. With it, nothing else counts (`checkDependencies`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.checks.advice import KnownState
from celvet.lint.model import Confidence
from celvet.lint.predict.faults.diagnosis import InLife, OpenGate, Premature, StageInLife, Stale
from celvet.lint.predict.faults.life_rows import gate_facts, life_rows
from celvet.lint.predict.truth_table import Row, Table
from celvet.record import replace
from celvet.schemas.facts import LifeState

_STAGES: Mapping[str, StageInLife] = {
    "coming": "starting",
    "fresh": "starting",
    "transient": "retried",
    "failing": "failing",
}
"""The stages in which no gate may be open, those that show best what is wrong first."""


def premature_gate(table: Table) -> Iterator[Premature]:
    """A gate that is open before an object is ready, or after it has failed.

    An author may want to go on after a failure, for which the old version is enough.
    """
    order = [*_STAGES]
    rows = [proof for proof in _open_rows(table) if proof[0].stage in _STAGES]
    if rows:
        # Too early is worse than too late: dependants are applied to what is not there yet.
        state, row = min(rows, key=lambda proof: order.index(proof[0].stage))
        stage = _STAGES[state.stage]
        neighbours = (row_state for row_state, _ in rows if row_state is not state)
        other_states = tuple(
            row_state.name for row_state in neighbours if _STAGES[row_state.stage] == stage
        )
        is_early = stage == "starting"
        yield Premature(
            role=table.model.role("Ready"),
            row=row,
            proof=InLife(KnownState(state.name), stage, other_states, _cure(table)),
            confidence=Confidence.HIGH if is_early else Confidence.MEDIUM,
        )


def stale_gate(table: Table) -> Iterator[Stale]:
    """A gate that the old status of a changed object opens, and how to close it."""
    for state, row in _open_rows(table):
        cure = _cure(table) if state.stage == "updating" else ""
        if cure:
            yield Stale(role=table.model.role("Ready"), row=row, proof=OpenGate(cure))
            return


def _open_rows(table: Table) -> list[tuple[LifeState, Row]]:
    """The states in which a gate is wrongly open."""
    rows = life_rows(table) if gate_facts(table) else ()
    return [
        (state, row)
        for state, row in rows
        if not state.until and row.verdict == "Ready" and state.verdict != "Ready"
    ]


def _cure(table: Table) -> str:
    """The shortest test that closes a gate in each state but the ready ones; empty if none does."""
    (gate, program), *_ = table.model.programs.items()
    prefix = "".join(f"{step}." for step in table.model.root)
    ready = f"{prefix}status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"
    present = f"{prefix}metadata.generation == {prefix}status.observedGeneration"
    rows = [(state, row) for state, row in life_rows(table) if not state.until]
    for test in (present, ready, f"{present} && {ready}"):
        gated_program = compile_expression(f"({program.text}) && {test}", program.dialect)
        model = replace(table.model, programs={gate: gated_program})
        variables = [row.state.variables for _, row in rows]
        verdicts = [model.verdict(state, model.outcomes(state)) for state in variables]
        if all(
            # The test must not close the gate for a ready object, nor leave it open for any other.
            verdict == row.verdict if state.verdict == "Ready" else verdict != "Ready"
            for (state, row), verdict in zip(rows, verdicts, strict=True)
        ):
            return test
    return ""
