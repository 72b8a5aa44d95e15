"""Searches for objects that make expressions true or false, and never misses one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.predict import diagnose, table
from celvet.lint.predict.truth_table import Table
from tests.predict.models import made, maybe
from tests.properties import examples
from tests.tables import read_table

_CASES = read_table(Path(__file__).with_name("proofs.yaml"))


def _found(of: Table, wanted: bool) -> str:
    proof = of.proof({"current": wanted})
    if proof.row:
        assert proof.row.outcomes["current"].value is wanted
        return "found"
    return "never" if proof.complete else "unknown"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["text"])
def test_proofs(case: dict[Any, str]) -> None:
    of = table(made({"current": case["text"]}))
    assert (_found(of, True), _found(of, False)) == (case[True], case[False])


_VALUES: list[Any] = ["a", "b", "c", 0, 1, 2, True, False]
_FIELDS = ["status.a", "status.b", "e.a"]


def _atoms(fields: list[str]) -> st.SearchStrategy[str]:
    field, literal = st.sampled_from(fields), st.sampled_from(["'a'", "'b'", "0", "1", "true"])
    compared = st.tuples(field, st.sampled_from(["==", "!=", "<", ">="]), literal).map(" ".join)
    present = field.map("has({})".format)
    return compared | present


def _logic(atoms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(
                lambda t: f"({' '.join(t)})"
            ),
            inner.map("!({})".format),
        ),
        max_leaves=5,
    )


_BODIES = _logic(_atoms(["e.a", "status.b"]))
_QUANTIFIED = st.tuples(st.sampled_from(["exists", "all"]), _BODIES).map(
    lambda pair: f"status.l.{pair[0]}(e, {pair[1]})"
)
_FILTERED = st.tuples(_BODIES, _QUANTIFIED).map(
    lambda pair: pair[1].replace("status.l.", f"status.l.filter(e, {pair[0]}).")
)
_EXPRESSIONS = _logic(st.one_of(_atoms(["status.a", "status.b"]), _QUANTIFIED, _FILTERED))

_ELEMENTS = st.fixed_dictionaries({}, optional={"a": st.sampled_from(_VALUES)})
_STATUSES = st.fixed_dictionaries(
    {},
    optional={
        "a": st.sampled_from(_VALUES),
        "b": st.sampled_from(_VALUES),
        "l": st.lists(_ELEMENTS, max_size=3),
    },
)


@examples(400)
@given(_EXPRESSIONS, st.lists(_STATUSES, min_size=8, max_size=8))
def test_never_means_never(text: str, statuses: list[Any]) -> None:
    of = table(made({"current": text}))
    program = of.model.programs["current"]
    for wanted in (True, False):
        if _found(of, wanted) == "never":
            for status in statuses:
                assert program.evaluate({"status": status}).value is not wanted, status


@examples(15)
@given(_EXPRESSIONS, _EXPRESSIONS, _EXPRESSIONS)
def test_whatever_the_expressions_the_diagnosis_is_the_same_again(
    progress: str, failed: str, current: str
) -> None:
    found = maybe({"inProgress": progress, "failed": failed, "current": current})
    assert found is not None
    first = diagnose(found)
    table.__globals__["_cached_table"].clear()
    again = diagnose(found)
    assert [(type(each), each.role, each.cause) for each in again] == [
        (type(each), each.role, each.cause) for each in first
    ]
