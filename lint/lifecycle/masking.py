"""Expressions that have no say: never true, hidden by an earlier one, or behind its error."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lint.lifecycle.building import ABSENT, drop, get
from lint.lifecycle.diagnosis import Diagnosis
from lint.lifecycle.naming import allowed, is_stage, is_trouble
from lint.lifecycle.reading import Reading
from lint.lifecycle.table import Proof, Row, Table
from lint.lifecycle.terms import Steps
from lint.lifecycle.vacuity import vacuity
from lint.model import Path, Value

_EARLIER = ("inProgress", "failed")


def never(table: Table) -> Iterator[Diagnosis]:
    """The expressions that no object makes true."""
    for role in table.subject.programs:
        read = table.read_by(role)
        # `failed: "false"` is a way of saying that nothing is ever taken for failed.
        if read.fields and _impossible(table.proof({role: True})):
            yield Diagnosis(fault="never", role=role, row=None, detail=_odd_value(read))


def _odd_value(read: Reading) -> str:
    """A value that a condition is compared with and never has, as it is written in CEL."""
    for path, each in read.fields.items():
        for value in each.values:
            if path[:-2] in read.conditions() and not allowed(path, value):
                field = f"`{path[-1]}` of a condition is"
                texts = " `True`, `False` or `Unknown`" if path[-1] == "status" else " a text"
                return f"{field}{texts}, never {_written(value)}"
    return ""


def _written(value: Value) -> str:
    quoted = isinstance(value, str)
    return f"`'{value}'`" if quoted else f"`{json.dumps(value, default=str)}`"


def _impossible(proof: Proof) -> bool:
    return proof.row is None and proof.complete


def hidden(table: Table) -> Iterator[Diagnosis]:
    """The expressions that an earlier one keeps from ever giving the verdict."""
    if table.subject.gate:
        return
    for later in ("current", "failed"):
        earlier = [role for role in _EARLIER if role in table.subject.programs and role != later]
        alone = table.proof({later: True}).row if later in table.subject.programs else None
        if earlier and alone:
            yield from _hidden(table, later, earlier, alone)


def _hidden(table: Table, later: str, earlier: list[str], alone: Row) -> Iterator[Diagnosis]:
    wanted = {**dict.fromkeys(earlier, False), later: True}
    if later == "failed":
        # A failure that shows only where `current` holds as well shows nowhere.
        if "inProgress" not in earlier:
            return
        wanted = {"inProgress": False, "failed": True, "current": False}
        earlier = ["inProgress"]
        alone = table.proof({"failed": True, "current": False}).row or alone
    if not _impossible(table.proof(wanted)):
        return
    for role in earlier:
        if alone.error(role):
            yield Diagnosis(
                fault="blocked", role=role, row=alone, other=later, detail=alone.error(role)
            )
            return
        if alone.true(role):
            yield Diagnosis(fault="hidden", role=role, row=alone, other=later)
            return


def negation(table: Table) -> Iterator[Diagnosis]:
    """`failed` that is true wherever `current` is not, a stage that neither names included."""
    roles = table.subject.programs
    if set(roles) != {"failed", "current"} or not _has_stages(table):
        return
    if not _impossible(table.proof({"failed": False, "current": False})):
        return
    stages = ("stage", "success")
    between = (row for row in table.rows if row.state.stage in stages and row.verdict == "Failed")
    row = next(between, None)
    if row:
        yield Diagnosis(fault="negation", role="failed", row=row, other="current")


def _has_stages(table: Table) -> bool:
    """Whether what is read goes through several values, unlike a result, which comes once."""
    stock = table.stock
    return bool(stock.lists) or all(is_stage(each.path) for each in stock.arriving)


def vacuous(table: Table) -> Iterator[Diagnosis]:
    """`inProgress` that is true of nothing, and so keeps a healthy object from being Current."""
    program = table.subject.programs.get("inProgress")
    held = [row for row in table.rows if row.state.stage == "condition"]
    for row in held if program else ():
        masks = row.verdict == "InProgress" and row.true("inProgress") and row.true("current")
        found = vacuity(program, row.state.variables) if program and masks else None
        if found:
            yield Diagnosis(
                fault="vacuous",
                role="inProgress",
                row=row,
                span=found.span,
                other="current",
                detail=found.instead,
            )
            return


def blocked(table: Table) -> Iterator[Diagnosis]:
    """Errors that stay: a field that a healthy object lacks is read on the way to the verdict."""
    if table.subject.gate:
        return
    healthy = _healthy(table)
    for each in table.stock.arriving if healthy else ():
        if healthy is None or not is_trouble(each.path) or _boolean(each.values):
            continue
        if table.stock.shape.requires(each.path):
            continue
        place = _place(each.path)
        if place and get(healthy.state.variables, place) is not ABSENT:
            yield from _without(table, healthy, place)


def _healthy(table: Table) -> Row | None:
    """A row with the verdict Current on which no expression errs."""
    roles = table.subject.programs
    return table.proof({role: role == "current" for role in roles}).row


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
    role = next((role for role in table.subject.programs if row.error(role)), "")
    if role and (role == "current" or row.true("current")):
        yield Diagnosis(fault="blocked", role=role, row=row, how="field", detail=name)
