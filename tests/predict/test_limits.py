"""Expressions that nobody would write are skipped, or analysed with bounded work."""

from __future__ import annotations

import pytest

from celvet.lint.predict import diagnose, table
from celvet.lint.predict.truth_table import _MOST_PROPOSALS
from tests.predict.models import made, maybe

_C = "status.conditions"
_HOSTILE = {
    "an index far away": "status.a[1000000] == 1 && status.b[-1] == 2",
    "a size far away": "status.a.size() == 1000000000 && status.b.size() == -1",
    "the ends of numbers": "status.a == 9223372036854775807 && status.b < -9223372036854775807",
    "bytes": "status.a == b'abc' || bytes(status.b) == b'abc'",
    "odd keys": "status['__proto__'] == 1 && status[''] == 2 && status['a.b/c'] == 'x'",
    "a status that is none": "status == 'x' && status[0] == 1",
    "metadata that is none": "metadata == 'x' || metadata.generation == 'a'",
    "many types of one field": "status.a == 1 && status.a == 'x' && status.a == null",
    "literals alone": "[1, 2].all(x, x > 0) && {'a': 1}.a == 1",
    "a message": "google.protobuf.Struct{fields: {'a': status.b}} == status.c",
    "variables of the same name": f"{_C}.exists(e, e.l.exists(e, e.type == 'x') && e.type == 'y')",
    "a variable named as a field": f"{_C}.exists(status, status.type == 'x')",
    "lists deep within lists": "status.a.exists(a, a.b.exists(b, b.c.exists(c, c.d == 1)))",
    "growth": "'a'" + ".replace('a', 'aaaaaaaaaaaaaaaa')" * 10 + " == status.x",
    "rounds": "[1, 2, 3, 4, 5, 6, 7, 8, 9].map(a, " * 6 + "1" + ")" * 6 + ".size() == status.x",
    "contradictions": " && ".join(f"(status.a{n} == 1 || status.b{n} == 2)" for n in range(16))
    + " && status.z == 1 && status.z == 2",
}


@pytest.mark.parametrize("role", ["current", "failed", "inProgress"])
@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE)
def test_hostile(role: str, text: str) -> None:
    found = maybe({"current": "status.phase == 'Ready'", role: text})
    assert found is not None
    for diagnosis in diagnose(found):
        assert diagnosis.role in found.programs


@pytest.mark.parametrize(
    "text",
    [
        " && ".join(f"status.f{number} == 'x'" for number in range(500)),
        "status" + ".a" * 200 + " == 'x'",
        "status.a ? " * 40 + "true" + " : false" * 40,
        "self.status.phase == 'Ready'",
        "quantity(status.size).isGreaterThan(quantity('1Gi'))",
        "status.phase = 'Ready'",
    ],
    ids=["long", "deep", "nested", "of another name", "no such function", "no expression"],
)
def test_nothing_is_predicted(text: str) -> None:
    assert maybe({"current": text}) is None


def test_nothing_is_predicted_where_a_part_is_missing() -> None:
    assert maybe({"failed": "status.phase == 'Failed'"}) is None
    assert maybe({}) is None


def test_a_search_gives_up_and_says_so() -> None:
    choices = " && ".join(f"status.f{n} in ['a', 'b', 'c']" for n in range(12))
    of = table(made({"current": f"{choices} && status.z == 1 && status.z == 2"}))
    proof = of.proof({"current": True})
    assert (proof.row, proof.complete) == (None, False)
    assert diagnose(of.model) == ()


def test_no_more_objects_are_proposed_than_promised() -> None:
    choices = " && ".join(f"status.f{n} in ['a', 'b', 'c']" for n in range(12))
    rows = list(table(made({"current": choices})).proofs({"current": True}))
    assert 0 < len(rows) <= _MOST_PROPOSALS
    assert len(rows) == len({repr(row.state.variables) for row in rows})
