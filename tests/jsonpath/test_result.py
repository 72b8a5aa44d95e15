"""How a controller uses the results of a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.jsonpath import compile_path
from tests.jsonpath.dialects import DIALECTS
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("reading.yaml"))
_OBJECT = _TABLE.section("object")


@pytest.mark.parametrize("case", _TABLE.cases("cases"))
def test_reads(case: dict[str, Any]) -> None:
    reading = compile_path(case["path"], DIALECTS[case["style"]]).read(_OBJECT)
    if "value" in case:
        assert (reading.state, reading.value, reading.text, reading.error) == (
            "value",
            case["value"],
            case["text"],
            "",
        )
        assert type(reading.value) is type(case["value"])
        return
    state = "absent" if "absent" in case else "error"
    assert (reading.state, reading.error) == (state, case[state])
    assert (reading.value, reading.text) == (None, "")


def test_what_cannot_be_json_is_an_error_in_cartographer() -> None:
    reading = compile_path(".a", DIALECTS["ends"]).read({"a": float("nan")})
    assert reading.error == "evaluate: failed to print results: json: unsupported value: NaN"


@pytest.mark.slow
def test_deep_values_do_not_raise() -> None:
    value: Any = "x"
    for _ in range(20_000):
        value = [value]
    reading = compile_path(".a", DIALECTS["ends"]).read({"a": value})
    assert reading.state in ("value", "error")
