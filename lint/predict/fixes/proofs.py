"""Whether a rewrite changes no verdict but the wrong ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from typing import TypeAlias

from celvet.lint.model import Path, Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.diagnosis import Rewrite
from celvet.lint.predict.faults.life import is_right
from celvet.lint.predict.faults.life_rows import life_rows
from celvet.lint.predict.faults.vacuous import find_vacuity
from celvet.lint.predict.reads.terms import at_first_elements
from celvet.lint.predict.states.building import get
from celvet.lint.predict.truth_table import Table, table
from celvet.lint.values import drop

_Condition: TypeAlias = dict[str, Value]
_PROOFS = 8
"""How many objects are built on which an expression is true."""

_PATHS = 8
"""How many fields are left out, one at a time."""

_PAIRS = 200
"""How many states of each sort have two conditions."""


def keeps_verdicts(model: CheckModel, new_model: CheckModel, candidate: Rewrite) -> bool:
    """Whether every state keeps its verdict, apart from the wrong ones.

    An unsafe rewrite changes verdicts on purpose; each must stay possible.
    """
    if not candidate.safe:
        return all(table(new_model).proof({role: True}).row for role in new_model.programs)
    roles = {replacement.role for replacement in candidate.replacements}
    return all(
        _verdict(model, variables) == _verdict(new_model, variables)
        or _is_wrong(model, variables, roles)
        for variables in _proof_states(table(model), roles)
    )


def _verdict(model: CheckModel, variables: Value) -> str:
    return model.verdict(variables, model.outcomes(variables))


def _is_wrong(model: CheckModel, variables: Value, roles: set[str]) -> bool:
    """Whether the verdict comes from an error, or from an `all` over nothing in a role."""
    return _verdict(model, variables) == "Unknown" or any(
        find_vacuity(model.programs[role], variables) is not None for role in roles
    )


def is_right_along_life(model: CheckModel, new_model: CheckModel) -> bool:
    """Whether no state of the kind's life gets a wrong verdict that it did not have."""
    rows = zip(life_rows(table(model)), life_rows(table(new_model)), strict=True)
    return all(
        state.until
        or new_row.verdict == old_row.verdict
        or is_right(new_row.verdict, state.verdict)
        for (state, old_row), (_, new_row) in rows
    )


def improves_life(model: CheckModel, new_model: CheckModel) -> bool:
    """Whether some state of the kind's life gets its right verdict only by a rewrite."""
    rows = zip(life_rows(table(model)), life_rows(table(new_model)), strict=True)
    return any(
        is_right(new_row.verdict, state.verdict) and not is_right(old_row.verdict, state.verdict)
        for (state, old_row), (_, new_row) in rows
    )


def _proof_states(table: Table, roles: Iterable[str]) -> Iterator[Value]:
    """The variables of all states on which a rewrite of these roles must keep its verdict."""
    proofs = (
        row for role in table.model.programs for row in islice(table.proofs({role: True}), _PROOFS)
    )
    states = [row.state.variables for row in (*table.rows, *proofs)]
    yield from states
    # An expression may only differ where a field is missing that each of these states has.
    for path in _paths(table, roles):
        for variables in states:
            shorter_variables = drop(variables, path)
            if shorter_variables is not variables:
                yield shorter_variables
    yield from _pairs(table)


def _paths(table: Table, roles: Iterable[str]) -> Iterator[Path]:
    """The fields that the roles read, except in elements of lists."""
    paths = dict.fromkeys(path for role in roles for path in table.read_by(role).fields)
    definite_paths = (
        at_first_elements(path)
        for path in paths
        if None not in path and table.builder.arrives(path)
    )
    return islice(definite_paths, _PATHS)


def _pairs(table: Table) -> Iterator[Value]:
    """States with two conditions that disagree, of named types and of types like those."""
    pairs = [
        (condition, other_condition)
        for condition, other_condition in permutations(_elements(table), 2)
        if condition["status"] != other_condition["status"]
    ]
    alike_pairs = (alike_pair for pair in pairs for alike_pair in _alike_pairs(*pair))
    different_pairs = (pair for pair in pairs if pair[0]["type"] != pair[1]["type"])
    for pair in (*islice(alike_pairs, _PAIRS), *islice(different_pairs, _PAIRS)):
        yield table.builder.with_conditions(pair, table.builder.neutral)


def _alike_pairs(
    condition: _Condition, other_condition: _Condition
) -> Iterator[tuple[_Condition, _Condition]]:
    """Pairs of conditions in which a type begins or ends with the other one."""
    # Searches by `startsWith`, `endsWith` or `contains` tell only such types apart.
    if condition["type"] == other_condition["type"]:
        longer, later = f"{condition['type']}Other", f"Other{condition['type']}"
        yield condition, {**other_condition, "type": longer}
        yield condition, {**other_condition, "type": later}
        yield {**condition, "type": longer}, {**other_condition, "type": later}


def _elements(table: Table) -> list[_Condition]:
    """The single conditions of the stock states."""
    place = at_first_elements(table.builder.lists[0]) if table.builder.lists else ()
    states = (row.state for row in table.rows if place and row.state.stage == "condition")
    lists = (get(state.variables, place) for state in states)
    return [elements[0] for elements in lists if isinstance(elements, list) and elements]
