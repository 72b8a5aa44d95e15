"""A variable whose keys are the names of earlier entries."""

from __future__ import annotations

import pytest

from celvet.schemas import Dialect

_DIALECT = Dialect.from_json(
    "named",
    {
        "language": "cel",
        "description": "",
        "variables": {"vars": {"type": "google.protobuf.Struct", "keys": "variables[].name"}},
    },
)
_MAPPING = {"variables": [{"name": "a"}, {"name": 1}, {"name": "b"}], "validations": [{}]}


@pytest.mark.parametrize(
    ("within", "keys"),
    [
        (("variables", 0, "expression"), ()),
        (("variables", 2, "expression"), ("a",)),
        (("validations", 0, "expression"), ("a", "b")),
    ],
)
def test_the_keys_that_an_expression_sees(
    within: tuple[str | int, ...], keys: tuple[str, ...]
) -> None:
    dialect = _DIALECT.for_object({}, _MAPPING, within)
    assert dialect.keys == {"vars": keys}
    assert dialect.variables == {"vars": "google.protobuf.Struct"}
