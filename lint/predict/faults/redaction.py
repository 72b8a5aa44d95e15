"""What a controller keeps back from an expression, and whether that matters."""

from __future__ import annotations

from celvet.lint.model import Path
from celvet.lint.predict.model import CheckModel
from celvet.lint.predict.states.building import drop
from celvet.lint.predict.truth_table import Row, table


def kept_shut(model: CheckModel, hidden: Path, description: str) -> Row | None:
    """The first object that would open a gate, and does not once a field is hidden of it.

    None where some object opens the gate all the same, or where none was found
    that opens it at all.
    """
    found = table(model)
    first: Row | None = None
    gate = model.role("Ready")
    for row in found.proofs({gate: True}) if gate else ():
        shown = drop(row.state.variables, hidden)
        left = found.altered(row, "hidden", description, shown)
        if left.true(gate):
            return None
        first = first or left
    return first
