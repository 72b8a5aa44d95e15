"""The page of a check that can be predicted: a row for each state that its expressions tell apart.

The states of the life come first, which the catalogue has; then stock states, made from what the
expressions read; then those that findings show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.cel import Outcome
from celvet.lint.checks import Check, CheckedObject
from celvet.lint.explain.page import VERDICT, WAITING, Line, Page, kind_title
from celvet.lint.model import Counterexample, Finding, field_path
from celvet.lint.predict import CheckModel, Row, State, Table, diagnose, life_rows, table
from celvet.lint.predict.faults.diagnosis import NeverTrue, Stuck
from celvet.lint.rule_ids import HIDDEN_DATA
from celvet.lint.verdicts.verdict import IGNORED
from celvet.record import replace
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState

_VERDICTS = ("Current", "Failed", "Ready")
_EARLY = {"bare", "none", "other"}


def page_of_model(
    checked_object: CheckedObject, check: Check, model: CheckModel, notes: tuple[Finding, ...]
) -> Page:
    """The page of a check that can be predicted."""
    states = life_rows(table(model))
    rows = [*_rows(model, notes, [row for _, row in states])]
    proofs = _proofs([*(row for _, row in states), *rows], notes)
    facts = model.facts
    lines = [_line(row, notes, proofs) for row in rows]
    life_lines = [_life_line(state, _line(row, notes, proofs), facts) for state, row in states]
    # Without a wait for the kind, the controller never evaluates the entry.
    is_unused = not model.gate and not checked_object.looks_at(check)
    return Page(
        title=checked_object.object.title,
        field=field_path(check.path),
        subject=kind_title(model.group_kind),
        texts={role: program.text for role, program in model.programs.items()},
        lines=[*map(_without_verdict, lines)] if is_unused else lines,
        notes=notes,
        life=[*map(_without_verdict, life_lines)] if is_unused else life_lines,
        controller=f"{facts.project} {facts.release}" if facts else "",
        facts=facts,
        timing="" if model.gate or is_unused else checked_object.timing.sentence,
    )


def _rows(model: CheckModel, notes: Sequence[Finding], life_rows: Sequence[Row]) -> Iterator[Row]:
    """The stock states, then one for each verdict that they lack, then those of findings.

    Of the last, those among `life_rows` already are left out. So are objects on which an expression
    is true that a finding calls never true: no controller writes them, or shows them to it.
    """
    truth = table(model)
    idle_roles = {
        fault.role
        for fault in diagnose(model)
        if isinstance(fault, NeverTrue) and not isinstance(fault.proof, Stuck)
    } | {str(note.where.path[-1]) for note in notes if note.rule == HIDDEN_DATA}
    rows = [
        row
        for row in (*truth.rows, *truth.witnesses())
        if not any(row.true(role) for role in idle_roles)
    ]
    yield from rows
    stock = {row.state.name for row in (*rows, *life_rows)}
    for note in notes:
        counterexample = note.counterexample
        if counterexample and counterexample.state not in stock:
            stock.add(counterexample.state)
            yield _proof(counterexample, truth)


def _proof(counterexample: Counterexample, truth: Table) -> Row:
    """The row that a finding shows; built again if no diagnosis has it."""
    proofs = (diagnosis.row for diagnosis in diagnose(truth.model) if diagnosis.row)
    matches = (row for row in proofs if row.counterexample == counterexample)
    return next(matches, None) or truth.row(_state(counterexample, truth))


def _state(counterexample: Counterexample, truth: Table) -> State:
    """The state of an object, with the other variables of the stock states."""
    variables = counterexample.object
    if truth.model.root:
        stock_variables = truth.rows[0].state.variables if truth.rows else {}
        variables = {**stock_variables, truth.model.root[0]: counterexample.object}
    return State(
        counterexample.state, counterexample.description, "proof", counterexample.object, variables
    )


def _proofs(rows: Sequence[Row], notes: Sequence[Finding]) -> list[Row | None]:
    """The row of each finding that shows an object."""
    rows_by_state = {row.state.name: row for row in rows}
    counterexamples = [note.counterexample for note in notes]
    return [
        rows_by_state[counterexample.state] if counterexample else None
        for counterexample in counterexamples
    ]


def _life_line(state: LifeState, line: Line, facts: KindFacts | None) -> Line:
    """A state of the life: the name and stage, and the verdict that the recommended entry gives.

    That verdict is left out if the controller keeps waiting at both, or if a variant of the
    recommended entry differs in the same way.
    """
    variants = facts.variants.values() if facts else ()
    verdict, expected_verdict = line.cells[VERDICT], state.verdict
    expected_verdicts = {
        expected_verdict,
        *(variant.differs.get(state.name, expected_verdict) for variant in variants),
    }
    if verdict not in expected_verdicts and not {verdict, expected_verdict} <= WAITING:
        verdict = f"{verdict}, not {expected_verdict}"
    name = f"`{state.name}` ({state.stage})"
    return replace(line, description=name, cells={**line.cells, VERDICT: verdict})


def _line(row: Row, notes: Sequence[Finding], proofs: Sequence[Row | None]) -> Line:
    cells = {role: _outcome_text(outcome) for role, outcome in row.outcomes.items()}
    marks: dict[str, list[int]] = {}
    for number, (note, proof) in enumerate(zip(notes, proofs, strict=True), start=1):
        if proof and _alike(row, proof):
            role = str(note.where.path[-1]) if note.where.path else ""
            marks.setdefault(role if role in cells else VERDICT, []).append(number)
    state = row.state
    cells[VERDICT] = row.verdict
    return Line(state.name, state.description, state.object, cells, marks)


def _without_verdict(line: Line) -> Line:
    """The row of an entry that the controller never uses, without a verdict."""
    return replace(line, cells={**line.cells, VERDICT: IGNORED})


def _alike(row: Row, proof: Row) -> bool:
    """Whether a row is the proof, or has the same verdict for the same reason."""
    if row is proof:
        return True
    if row.verdict != proof.verdict or proof.verdict not in _VERDICTS:
        return False
    # A value that means trouble may rightly fail, although no expression names it
    unnamed_stages = {"stage", "success" if proof.verdict == "Failed" else "trouble"}
    stages = {row.state.stage, proof.state.stage}
    return stages <= _EARLY or stages <= unnamed_stages


def _outcome_text(outcome: Outcome) -> str:
    if outcome.error:
        return "error" if outcome.analysed else "not analysed"
    return str(outcome.value).lower()
