"""Further states on which a rewrite must not change a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from typing import TypeAlias

from celvet.lint.model import Path, Value
from celvet.lint.predict.reads.terms import definite
from celvet.lint.predict.states.building import get
from celvet.lint.predict.truth_table import Row, Table
from celvet.lint.values import drop

_Condition: TypeAlias = dict[str, Value]

_PROOFS = 8
"""So many objects are built on which an expression is true."""

_PATHS = 8
"""So many fields are left out, one at a time."""

_PAIRS = 200
"""So many states of each sort have two conditions."""


def proof_states(table: Table, roles: Iterable[str]) -> Iterator[Value]:
    """The variables of all states on which a rewrite of these roles must keep its verdict."""
    plain = [row.state.variables for row in (*table.rows, *_proofs(table))]
    yield from plain
    for path in _paths(table, roles):
        without = (drop(each, path) for each in plain)
        yield from (after for after, each in zip(without, plain, strict=True) if after is not each)
    yield from _pairs(table)


def _proofs(table: Table) -> Iterator[Row]:
    """Objects on which each expression is true, in several ways."""
    for role in table.model.programs:
        yield from islice(table.proofs({role: True}), _PROOFS)


def _paths(table: Table, roles: Iterable[str]) -> Iterator[Path]:
    """The fields that the roles read, elements of lists aside."""
    paths = (path for role in roles for path in table.read_by(role).fields)
    plain = (path for path in dict.fromkeys(paths) if None not in path)
    return islice((definite(path) for path in plain if table.builder.arrives(path)), _PATHS)


def _pairs(table: Table) -> Iterator[Value]:
    """States with two conditions that disagree, of named types and of types like those."""
    elements = [*permutations(_elements(table), 2)]
    differing = [pair for pair in elements if pair[0]["status"] != pair[1]["status"]]
    alike = (like for pair in differing for like in _alike(*pair))
    named = (pair for pair in differing if pair[0]["type"] != pair[1]["type"])
    for pair in (*islice(alike, _PAIRS), *islice(named, _PAIRS)):
        yield table.builder.conditioned(pair, table.builder.neutral)


def _alike(one: _Condition, other: _Condition) -> Iterator[tuple[_Condition, _Condition]]:
    """Pairs of conditions in which a type begins or ends with the other one."""
    if one["type"] == other["type"]:
        longer, later = f"{one['type']}Other", f"Other{one['type']}"
        yield one, {**other, "type": longer}
        yield one, {**other, "type": later}
        yield {**one, "type": longer}, {**other, "type": later}


def _elements(table: Table) -> list[_Condition]:
    """The single conditions of the stock states."""
    place = definite(table.builder.lists[0]) if table.builder.lists else ()
    states = (row.state for row in table.rows if place and row.state.stage == "condition")
    lists = (get(state.variables, place) for state in states)
    return [each[0] for each in lists if isinstance(each, list) and each]
