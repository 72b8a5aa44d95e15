"""Expressions without effect: never true, hidden by an earlier one, or after its error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.cel.syntax.tree import Call, Node
from celvet.lint.checks.advice import plain
from celvet.lint.model import Path, Value
from celvet.lint.predict.faults.diagnosis import (
    AllHidden,
    Blocked,
    Contradiction,
    Negation,
    NeverTrue,
    OddValue,
    OperandHidden,
    Shadowed,
    Vacuous,
)
from celvet.lint.predict.faults.unequal import find_unequal
from celvet.lint.predict.faults.vacuous import find_vacuity
from celvet.lint.predict.reads.field_names import is_conditions, is_generation, is_stage, is_trouble
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import Steps, path_text, short
from celvet.lint.predict.states.api_conventions import is_possible, keeps_conventions, may_be
from celvet.lint.predict.states.building import get
from celvet.lint.predict.states.crd_shape import Shape
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.predict.truth_table import table as table_of
from celvet.lint.values import ABSENT, drop
from celvet.record import replace

_EARLIER = ("InProgress", "Failed")
"""Verdicts that are tried before `Current`."""


def find_never_true(table: Table) -> Iterator[NeverTrue]:
    """The expressions that no object makes true."""
    for role, program in table.model.programs.items():
        reading = table.read_by(role)
        # Whoever writes `failed: "false"` wants nothing to fail.
        if not (reading.fields and program.tree):
            continue
        proof: OddValue | Contradiction | None = find_unequal(program.tree, program.text)
        if proof is None and _is_impossible(table, {role: True}):
            proof = _odd_value(reading, table.builder.shape) or _contradiction(reading)
        if proof:
            yield NeverTrue(role=role, proof=proof)


def _odd_value(reading: Reading, shape: Shape) -> OddValue | None:
    """The first comparison of a field with a value that it never has."""
    # The API conventions fix these types for any kind, so no schema is needed.
    odd_values = (
        (path, value)
        for path, field in reading.fields.items()
        for value in field.values
        if not may_be(path, value, shape)
    )
    path, value = next(odd_values, ((), None))
    if not path:
        return None
    if isinstance(value, bytes):
        return OddValue("bytes", f"no object holds bytes such as {_quoted(value)}")
    in_condition = is_conditions(path[:-2])
    field = f"`{path[-1]}` of a condition" if in_condition else f"`{path_text(path)}`"
    if in_condition and path[-1] == "status":
        reason = f"{field} is `True`, `False` or `Unknown`, never {_quoted(value)}"
        return OddValue("text", reason)
    if is_generation(path):
        return OddValue("number", f"{field} is a number, never {_quoted(value)}")
    return OddValue("text", f"{field} is a text, never {_quoted(value)}")


def _contradiction(reading: Reading) -> Contradiction:
    compared_fields = [field for field in reading.fields.values() if len(field.values) > 1]
    if any(field.ordered for field in compared_fields):
        return Contradiction("bounds")
    return Contradiction("values" if compared_fields else "comparisons")


def _quoted(value: Value) -> str:
    if isinstance(value, str):
        return f"`'{short(value)}'`"
    if isinstance(value, bytes):
        return f"`b'{short(value.decode(errors='replace'))}'`"
    return f"`{short(json.dumps(value, default=str))}`"


def _is_impossible(table: Table, answers: Mapping[str, bool]) -> bool:
    """Whether no object gives these answers; usually a stock state shows that one does."""
    shape = table.builder.shape
    # The first states are those before anything has happened, where most expressions fail.
    likely = reversed(table.rows)
    if any(_gives(row, answers) and is_possible(row.state.variables, shape) for row in likely):
        return False
    if _contradicts_itself(table, answers):
        return True
    if not all(keeps_conventions(path, shape) for path in table.reading.fields):
        return False  # the search follows the conventions
    proof = table.proof(answers)
    return proof.row is None and proof.complete


def _contradicts_itself(table: Table, demands: Mapping[str, bool]) -> bool:
    """Whether two of the expressions are the same, or one is the other's negation."""
    answers: dict[str, set[bool]] = {}
    for role, answer in demands.items():
        program = table.model.programs[role]
        node, value = program.tree, answer
        while isinstance(node, Call) and node.function == "!_":
            node, value = node.args[0], not value
        if node:
            answers.setdefault(plain(program.text[slice(*node.span)]), set()).add(value)
    return any(len(values) > 1 for values in answers.values())


def _gives(row: Row, answers: Mapping[str, bool]) -> bool:
    return all(row.outcomes[role].value is answer for role, answer in answers.items())


def find_hidden(table: Table) -> Iterator[Shadowed | Blocked]:
    """The expressions that an earlier one keeps from ever giving the verdict."""
    if table.model.gate:
        return
    for answer in ("Current", "Failed"):
        later = table.model.role(answer)
        roles = (table.model.role(verdict) for verdict in _EARLIER if verdict != answer)
        earlier_roles = [role for role in roles if role]
        if earlier_roles and later:
            faults = [*_hidden_by(table, later, earlier_roles)]
            yield from faults or (_hidden_operand(table, later) if answer == "Failed" else ())


def _hidden_operand(table: Table, failed: str) -> Iterator[Shadowed]:
    """The first operand of a `failed` with `||` that `inProgress` keeps from the verdict."""
    program, waiting = table.model.programs[failed], table.model.role("InProgress")
    for operand in _operands(program.tree) if waiting and program.tree else ():
        text = program.text[slice(*operand.span)]
        programs = {**table.model.programs, failed: compile_expression(text, program.dialect)}
        part_table = table_of(replace(table.model, programs=programs))
        for fault in _hidden_by(part_table, failed, [waiting]):
            if isinstance(fault, Shadowed):
                yield replace(fault, proof=OperandHidden(text))
                return


def _operands(node: Node) -> list[Node]:
    """The operands of `||`; none of another expression."""
    if not (isinstance(node, Call) and node.function == "_||_"):
        return []
    return [operand for arg in node.args for operand in _operands(arg) or [arg]]


def _hidden_by(table: Table, later: str, earlier_roles: list[str]) -> Iterator[Shadowed | Blocked]:
    """The fault of one of the `earlier_roles` without which that of `later` would decide."""
    answers = {**dict.fromkeys(earlier_roles, False), later: True}
    if later == table.model.role("Failed"):
        # If both are true, the object counts as current.
        waiting, current = table.model.role("InProgress"), table.model.role("Current")
        if not waiting:
            return
        answers = {waiting: False, later: True, current: False}
        earlier_roles = [waiting]
    # Two demands that exclude each other are found sooner than three.
    first_role, *more_roles = answers
    pairs = [{first_role: answers[first_role], role: answers[role]} for role in more_roles]
    is_excluded = any(_is_impossible(table, demands) for demands in (*pairs, answers))
    row = _true_row(table, later) if is_excluded else None
    if row is None:
        return
    # The first of the earlier expressions that decides about this object stands in the way.
    unless = next((role for role in answers if role not in (*earlier_roles, later)), "")
    for role in earlier_roles:
        if row.error(role):
            yield Blocked(role=role, row=row, blocked_role=later)
            return
        if row.true(role):
            yield Shadowed(role=role, row=row, hidden_role=later, proof=AllHidden(unless))
            return


def _true_row(table: Table, later: str) -> Row | None:
    """A row on which an expression is true, if possible one that is a failure for `failed`."""
    row = table.proof({later: True}).row
    if row and later == table.model.role("Failed"):
        return table.proof({later: True, table.model.role("Current"): False}).row or row
    return row


def find_negation(table: Table) -> Iterator[Negation]:
    """`failed` that is true whenever `current` is not, even in a stage that neither names."""
    failed, current = table.model.role("Failed"), table.model.role("Current")
    if set(table.model.programs) != {failed, current} or not _has_stages(table):
        return
    if not _is_impossible(table, {failed: False, current: False}):
        return
    stages = ("stage", "success")
    rows = (row for row in table.rows if row.state.stage in stages and row.verdict == "Failed")
    row = next(rows, None)
    if row:
        yield Negation(role=failed, row=row, current_role=current)


def _has_stages(table: Table) -> bool:
    """Whether the field goes through several values, unlike a result, which is written once."""
    builder = table.builder
    return bool(builder.lists) or all(is_stage(field.path) for field in builder.arriving)


def find_vacuous(table: Table) -> Iterator[Vacuous]:
    """`inProgress` that is true when nothing matches, so that a healthy object never is Current."""
    waiting, current = table.model.role("InProgress"), table.model.role("Current")
    program = table.model.programs.get(waiting)
    rows = [row for row in table.rows if row.state.stage == "condition"]
    for row in rows if program else ():
        masks = row.verdict == "InProgress" and row.true(waiting) and row.true(current)
        vacuity = find_vacuity(program, row.state.variables) if program and masks else None
        if vacuity:
            yield Vacuous(role=waiting, row=row, span=vacuity.span, instead=vacuity.instead)
            return


def find_missing_fields(table: Table) -> Iterator[Blocked]:
    """Lasting errors: before the verdict, a field is read that a healthy object lacks."""
    shape = table.builder.shape
    # A field such as `status.error` is often there only while something is wrong: an expression
    # that reads it without `has` fails once all is well.
    troubles = dict.fromkeys(
        place
        for field in table.builder.arriving
        if is_trouble(field.path) and not any(isinstance(value, bool) for value in field.values)
        # If its parent has to be removed as well, a healthy object must lack that too.
        if is_trouble(missing := shape.optional(field.path)) and (place := _place(missing))
    )
    if not troubles or table.model.gate:
        return
    current = table.model.role("Current")
    # The proof is a pair: with the field the object is Current, and without it an expression fails
    # first.
    healthy = table.proof({role: role == current for role in table.model.programs}).row
    if healthy is None:
        return
    for place in troubles:
        if get(healthy.state.variables, place) is ABSENT:
            continue
        name = ".".join(str(step) for step in place)
        words = f"that is healthy and has no `{name}`"
        row = table.altered_row(healthy, "healthy", words, drop(healthy.state.variables, place))
        role = next((role for role in table.model.programs if row.error(role)), "")
        if role and (role == current or row.true(current)):
            yield Blocked(role=role, row=row, blocked_role=current, missing_field=name)


def _place(path: Steps) -> Path:
    return tuple(step for step in path if isinstance(step, str)) if None not in path else ()
