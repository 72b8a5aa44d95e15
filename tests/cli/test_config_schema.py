"""The published schema of the configuration, which celvet itself checks it against."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator

from celvet.lint.config import SCHEMA
from celvet.lint.config.check import mistakes, read_schema
from celvet.lint.rules import ids
from docs.generate import ROOT

_SCHEMA = read_schema(SCHEMA)
_VALIDATOR = Draft202012Validator(_SCHEMA)
_PUBLISHED = Draft7Validator(
    json.loads((ROOT / "docs" / "celvet.schema.json").read_text(encoding="utf-8"))
)
_SCALARS: st.SearchStrategy[Any] = st.sampled_from(
    ["off", "info", "error", "ERROR", "", "a\0", False, True, 0, 1, 1.5, None]
)
_VALUES = st.recursive(
    _SCALARS,
    lambda below: (
        st.lists(below, max_size=2)
        | st.dictionaries(st.sampled_from(["missing-failed", "cel-typ", "A"]), below, max_size=2)
    ),
    max_leaves=4,
)
_KEYS = st.sampled_from([*_SCHEMA["properties"], "rulez"])


@given(st.dictionaries(_KEYS, _VALUES, max_size=2) | _VALUES)
def test_it_allows_what_the_schema_allows(value: Any) -> None:
    assert (not list(mistakes(value, _SCHEMA))) == _VALIDATOR.is_valid(value)
    assert _PUBLISHED.is_valid(value) == _VALIDATOR.is_valid(value)


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(_SCHEMA)


def test_it_knows_all_rules() -> None:
    assert tuple(_SCHEMA["$defs"]["rules"]["properties"]) == ids()
    assert _SCHEMA["properties"]["rules"] == {"$ref": "#/$defs/rules"}
    assert _SCHEMA["properties"]["files"]["additionalProperties"] == {"$ref": "#/$defs/rules"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"rulez": 1}, "unknown key `x.rulez`; did you mean `rules`?"),
        ({"crds": ["a", 1]}, "`x.crds[1]` must be a text"),
        ({"fail-on": "off"}, "`x.fail-on` must be one of info, warning, error"),
        ({"rules": {"cel-typ": 1}}, "unknown key `x.rules.cel-typ`; did you mean `cel-type`?"),
    ],
)
def test_messages(value: Any, message: str) -> None:
    assert [each.message("x") for each in mistakes(value, _SCHEMA)] == [message]
