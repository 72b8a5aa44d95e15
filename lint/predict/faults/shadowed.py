"""Expressions without effect: never true, hidden by an earlier one, or after its error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.cel.syntax.tree import Call, Node
from celvet.lint.checks.advice import plain
from celvet.lint.model import Path, Value
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.unequal import unequal
from celvet.lint.predict.faults.vacuous import vacuity
from celvet.lint.predict.reads.field_names import is_conditions, is_generation, is_stage, is_trouble
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import Steps, short, shown
from celvet.lint.predict.states.api_conventions import holds, may_be, possible
from celvet.lint.predict.states.building import get
from celvet.lint.predict.states.crd_shape import Shape
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.predict.truth_table import table as table_of
from celvet.lint.values import ABSENT, drop
from celvet.record import replace

_EARLIER = ("InProgress", "Failed")
"""Verdicts that are tried before `Current`."""


def never(table: Table) -> Iterator[Diagnosis]:
    """The expressions that no object makes true."""
    for role, program in table.model.programs.items():
        read = table.read_by(role)
        # whoever writes `failed: "false"` wants nothing to fail
        if not (read.fields and program.tree):
            continue
        if found := unequal(program.tree, program.text):
            how, detail = found
            yield Diagnosis(fault="never", role=role, row=None, how=how, detail=detail)
        elif _impossible(table, {role: True}):
            how, detail = _odd_value(read, table.builder.shape) or (_excluding(read), "")
            yield Diagnosis(fault="never", role=role, row=None, how=how, detail=detail)


def _odd_value(read: Reading, shape: Shape) -> tuple[str, str] | None:
    """The real value of a field that never has the first compared one, and words for it."""
    odd = (
        (path, value)
        for path, each in read.fields.items()
        for value in each.values
        if not may_be(path, value, shape)
    )
    path, value = next(odd, ((), None))
    if not path:
        return None
    if isinstance(value, bytes):
        return "bytes", f"no object holds bytes such as {_written(value)}"
    in_condition = is_conditions(path[:-2])
    field = f"`{path[-1]}` of a condition" if in_condition else f"`{shown(path)}`"
    if in_condition and path[-1] == "status":
        return "text", f"{field} is `True`, `False` or `Unknown`, never {_written(value)}"
    sort = "number" if is_generation(path) else "text"
    return sort, f"{field} is a {sort}, never {_written(value)}"


def _excluding(read: Reading) -> str:
    """How comparisons exclude each other: by a `range`, by a `choice`, or in another way."""
    several = [each for each in read.fields.values() if len(each.values) > 1]
    if any(each.ordered for each in several):
        return "range"
    return "choice" if several else ""


def _written(value: Value) -> str:
    if isinstance(value, str):
        return f"`'{short(value)}'`"
    if isinstance(value, bytes):
        return f"`b'{short(value.decode(errors='replace'))}'`"
    return f"`{short(json.dumps(value, default=str))}`"


def _impossible(table: Table, wanted: Mapping[str, bool]) -> bool:
    """Whether no object gives these answers; usually a stock state shows that one does."""
    shape = table.builder.shape
    # The first states are those before anything has happened, where most expressions fail.
    likely = reversed(table.rows)
    if any(_gives(row, wanted) and possible(row.state.variables, shape) for row in likely):
        return False
    if _contradicts(table, wanted):
        return True
    if not all(holds(path, shape) for path in table.reading.fields):
        return False  # the search follows the conventions
    proof = table.proof(wanted)
    return proof.row is None and proof.complete


def _contradicts(table: Table, wanted: Mapping[str, bool]) -> bool:
    """Whether two of the expressions are the same, or one is the other's negation."""
    answers: dict[str, set[bool]] = {}
    for role, answer in wanted.items():
        program = table.model.programs[role]
        node, value = program.tree, answer
        while isinstance(node, Call) and node.function == "!_":
            node, value = node.args[0], not value
        if node:
            answers.setdefault(plain(program.text[slice(*node.span)]), set()).add(value)
    return any(len(each) > 1 for each in answers.values())


def _gives(row: Row, wanted: Mapping[str, bool]) -> bool:
    return all(row.outcomes[role].value is each for role, each in wanted.items())


def hidden(table: Table) -> Iterator[Diagnosis]:
    """The expressions that an earlier one keeps from ever giving the verdict."""
    if table.model.gate:
        return
    for answer in ("Current", "Failed"):
        later = table.model.role(answer)
        tried = (table.model.role(each) for each in _EARLIER if each != answer)
        earlier = [role for role in tried if role]
        if earlier and later:
            found = [*_hidden(table, later, earlier)]
            yield from found or (_parts(table, later) if answer == "Failed" else ())


def _parts(table: Table, failed: str) -> Iterator[Diagnosis]:
    """The first operand of a `failed` with `||` that `inProgress` keeps from the verdict."""
    program, waits = table.model.programs[failed], table.model.role("InProgress")
    for operand in _operands(program.tree) if waits and program.tree else ():
        text = program.text[slice(*operand.span)]
        part = {**table.model.programs, failed: compile_expression(text, program.dialect)}
        for found in _hidden(table_of(replace(table.model, programs=part)), failed, [waits]):
            if found.fault == "hidden":
                yield replace(found, how="part", detail=text)
                return


def _operands(node: Node) -> list[Node]:
    """The operands of `||`; none of another expression."""
    if not (isinstance(node, Call) and node.function == "_||_"):
        return []
    return [each for arg in node.args for each in _operands(arg) or [arg]]


def _hidden(table: Table, later: str, earlier: list[str]) -> Iterator[Diagnosis]:
    wanted = {**dict.fromkeys(earlier, False), later: True}
    if later == table.model.role("Failed"):
        # If both are true, the object counts as current.
        waits, current = table.model.role("InProgress"), table.model.role("Current")
        if not waits:
            return
        wanted = {waits: False, later: True, current: False}
        earlier = [waits]
    # Two demands that exclude each other are found sooner than three.
    first, *others = wanted
    pairs = [{first: wanted[first], each: wanted[each]} for each in others]
    excluded = any(_impossible(table, each) for each in (*pairs, wanted))
    if excluded and (row := _without_others(table, later)):
        unless = next((role for role in wanted if role not in (*earlier, later)), "")
        yield from _in_the_way(row, later, earlier, unless)


def _in_the_way(row: Row, later: str, earlier: list[str], unless: str) -> Iterator[Diagnosis]:
    for role in earlier:
        if error := row.error(role):
            yield Diagnosis(fault="blocked", role=role, row=row, other=later, detail=error)
            return
        if row.true(role):
            yield Diagnosis(fault="hidden", role=role, row=row, other=later, detail=unless)
            return


def _without_others(table: Table, later: str) -> Row | None:
    """A row on which an expression is true, if possible one that is a failure for `failed`."""
    row = table.proof({later: True}).row
    if row and later == table.model.role("Failed"):
        return table.proof({later: True, table.model.role("Current"): False}).row or row
    return row


def negation(table: Table) -> Iterator[Diagnosis]:
    """`failed` that is true whenever `current` is not, even in a stage that neither names."""
    failed, current = table.model.role("Failed"), table.model.role("Current")
    if set(table.model.programs) != {failed, current} or not _has_stages(table):
        return
    if not _impossible(table, {failed: False, current: False}):
        return
    stages = ("stage", "success")
    between = (row for row in table.rows if row.state.stage in stages and row.verdict == "Failed")
    row = next(between, None)
    if row:
        yield Diagnosis(fault="negation", role=failed, row=row, other=current)


def _has_stages(table: Table) -> bool:
    """Whether the field goes through several values, unlike a result, which is written once."""
    builder = table.builder
    return bool(builder.lists) or all(is_stage(each.path) for each in builder.arriving)


def vacuous(table: Table) -> Iterator[Diagnosis]:
    """`inProgress` that is true when nothing matches, so that a healthy object never is Current."""
    waits, current = table.model.role("InProgress"), table.model.role("Current")
    program = table.model.programs.get(waits)
    held = [row for row in table.rows if row.state.stage == "condition"]
    for row in held if program else ():
        masks = row.verdict == "InProgress" and row.true(waits) and row.true(current)
        found = vacuity(program, row.state.variables) if program and masks else None
        if found:
            yield Diagnosis(
                fault="vacuous",
                role=waits,
                row=row,
                span=found.span,
                other=current,
                detail=found.instead,
            )
            return


def blocked(table: Table) -> Iterator[Diagnosis]:
    """Lasting errors: before the verdict, a field is read that a healthy object lacks."""
    shape = table.builder.shape
    troubles = dict.fromkeys(
        place
        for each in table.builder.arriving
        if is_trouble(each.path) and not _boolean(each.values)
        # if its parent has to be removed as well, a healthy object must lack that too
        if is_trouble(missing := shape.optional(each.path)) and (place := _place(missing))
    )
    if troubles and not table.model.gate and (healthy := _healthy(table)):
        for place in troubles:
            if get(healthy.state.variables, place) is not ABSENT:
                yield from _without(table, healthy, place)


def _healthy(table: Table) -> Row | None:
    """A row with the verdict Current on which no expression errs."""
    current = table.model.role("Current")
    return table.proof({role: role == current for role in table.model.programs}).row


def _boolean(values: tuple[object, ...]) -> bool:
    return any(isinstance(value, bool) for value in values)


def _place(path: Steps) -> Path:
    return tuple(step for step in path if isinstance(step, str)) if None not in path else ()


def _without(table: Table, healthy: Row, place: Path) -> Iterator[Diagnosis]:
    name = ".".join(str(step) for step in place)
    row = table.altered(
        healthy,
        "healthy",
        f"that is healthy and has no `{name}`",
        drop(healthy.state.variables, place),
    )
    role = next((role for role in table.model.programs if row.error(role)), "")
    current = table.model.role("Current")
    if role and (role == current or row.true(current)):
        yield Diagnosis(
            fault="blocked", role=role, row=row, how="field", other=current, detail=name
        )
