"""Values as Go prints them, for cases beyond the recorded templates."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.jsonpath import EvaluationError, LimitExceededError, go_text, kubectl_text
from celvet.lint.jsonpath.eval.printing import json_text, valid_text

_NUMBERS = [
    (1e20, "1e+20", "100000000000000000000"),
    (1e21, "1e+21", "1e+21"),
    (123456.0, "123456", "123456"),
    (1234567.5, "1.2345675e+06", "1234567.5"),
    (0.0001, "0.0001", "0.0001"),
    (0.00001, "1e-05", "0.00001"),
    (1e-7, "1e-07", "1e-7"),
    (1.5e300, "1.5e+300", "1.5e+300"),
    (0.0, "0", "0"),
    (-0.0, "-0", "-0"),
    (2**63 - 1, "9223372036854775807", "9223372036854775807"),
    (2**63, "9.223372036854776e+18", "9223372036854776000"),
]


@pytest.mark.parametrize(("number", "alone", "in_json"), _NUMBERS)
def test_numbers(number: float, alone: str, in_json: str) -> None:
    assert kubectl_text(number) == alone
    assert kubectl_text([number]) == f"[{in_json}]"
    assert go_text([number]) == f"[{alone}]"


def test_scalars_and_containers() -> None:
    value = {"b": [None, True, "x y"], "a": {}}
    assert kubectl_text(value) == '{"a":{},"b":[null,true,"x y"]}'
    assert go_text(value) == "map[a:map[] b:[<nil> true x y]]"
    assert (kubectl_text(None), kubectl_text(False), kubectl_text("x")) == ("null", "false", "x")


def test_json_escapes_what_go_escapes() -> None:
    assert (
        json_text('<&>\u2028"\\\n\x01é😀') == '"\\u003c\\u0026\\u003e\\u2028\\"\\\\\\n\\u0001é😀"'
    )
    assert json_text(["\udcff"]) == '["\\ufffd"]'


def test_formatted_text_is_cut_with_dots() -> None:
    assert go_text(["a" * 50], 10) == "[aaaaaaaaa..."
    assert go_text(["a"], 3) == "[a]"


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert valid_text("a\udcc3\udca9\udcffb") == "aé\ufffdb"
    assert go_text(["\udcff"]) == "[\ufffd]"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_json_does_not_have(number: float) -> None:
    assert kubectl_text(number) in ("NaN", "+Inf", "-Inf")
    with pytest.raises(EvaluationError, match="unsupported value"):
        kubectl_text([number])


def test_too_much_text_stops() -> None:
    with pytest.raises(LimitExceededError):
        json_text(["x" * 1000] * 3000)


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(_JSON)
def test_json_is_json(value: Any) -> None:
    written, python = json_text(value), json.dumps(value)
    assert json.loads(written, parse_int=float) == json.loads(python, parse_int=float)
