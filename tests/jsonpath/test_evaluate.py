"""What templates find and print, against answers recorded from client-go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.jsonpath import EvaluationError, LimitExceededError, parse
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("evaluate.yaml"))
_OBJECTS = _TABLE.section("objects")


@pytest.mark.parametrize("case", _TABLE.cases("cases"))
def test_finds_what_client_go_finds(case: dict[str, Any]) -> None:
    template = parse(case["path"])
    missing = case.get("missing", False)
    if "results" in case:
        found = template.find(_OBJECTS[case["object"]], missing)
        assert _typed(found) == _typed(case["results"])
        return
    with pytest.raises(EvaluationError) as caught:
        template.find(_OBJECTS[case["object"]], missing)
    assert case["error"] in str(caught.value)


@pytest.mark.parametrize("case", _TABLE.cases("cases"))
def test_prints_what_client_go_prints(case: dict[str, Any]) -> None:
    template = parse(case["path"])
    missing = case.get("missing", False)
    if "text" in case:
        assert template.text(_OBJECTS[case["object"]], missing) == case["text"]
        return
    with pytest.raises(EvaluationError):
        template.text(_OBJECTS[case["object"]], missing)


def _typed(value: Any) -> Any:
    """Distinguishes `true` from `1`, as the recorded answers do."""
    if isinstance(value, list):
        return [_typed(item) for item in value]
    return (isinstance(value, bool), value)


def test_entries_of_an_object_come_in_its_own_order() -> None:
    value = {"b": 1, "a": {"c": 2}}
    assert parse("{.*}").find(value) == [[1, {"c": 2}]]
    assert parse("{..}").find(value) == [[value, {"c": 2}]]


def test_a_whole_number_beyond_64_bits_is_a_float() -> None:
    numbers = [2**63, 2**63 - 1, 10**400]
    found = [type(number) for number in parse("{.a[*]}").find({"a": numbers})[0]]
    assert found == [float, int, float]
    assert parse("{.a[?(@>1.5)]}").find({"a": [2**63, 1.0]}) == [[2.0**63]]


def test_values_that_are_no_object_can_be_read() -> None:
    assert parse("{[1]}").find(["a", "b"]) == [["b"]]
    assert parse("{@}").text("x") == "x"
    assert parse("{@}").text(None) == "<no value>"
    with pytest.raises(EvaluationError):
        parse("{@}").find(None)


def test_results_are_the_objects_own_values() -> None:
    value = {"a": {"b": [1]}}
    assert parse("{.a}").find(value)[0][0] is value["a"]
    assert value == {"a": {"b": [1]}}


def test_loops_nest_to_a_limit() -> None:
    def nested(depth: int) -> str:
        return "{range @}" * depth + "x" + "{end}" * depth

    assert parse(nested(50)).text({}) == "x"
    with pytest.raises(LimitExceededError, match="loops"):
        parse(nested(51)).text({})


def _shared(depth: int) -> dict[str, Any]:
    """An object with the same object in all entries: its size is two to the power of `depth`."""
    value: dict[str, Any] = {"x": 1}
    for _ in range(depth):
        value = {"x": value, "y": value}
    return value


def _deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "path", ["{..}", "{..x}", "{.*.*.*" + ".*" * 30 + "}", "{range ..}{range ..}{@}"]
)
def test_shared_values_do_not_blow_up(path: str) -> None:
    with pytest.raises(LimitExceededError, match="more than"):
        parse(path).find(_shared(60), True)


@pytest.mark.slow
def test_printing_a_shared_value_stops() -> None:
    with pytest.raises(LimitExceededError, match="prints more than"):
        parse("{@}").text(_shared(60))


@pytest.mark.slow
def test_deep_values_are_no_trouble() -> None:
    value = {"d": _deep(50_000)}
    assert len(parse("{..}").find(value)[0]) == 50_001
    assert parse("{.d}").text(value) == "[" * 50_001 + "]" * 50_001
    with pytest.raises(EvaluationError, match=r"^map\[d:\[{50,}.*\.\.\. is not array"):
        parse("{[?(@.a)]}").find(value)


def test_comparing_long_texts_counts() -> None:
    text = "a" * 60_000
    with pytest.raises(LimitExceededError):
        parse("{.w[?(@=='" + text + "')]}").find({"w": [text] * 50_000})


def test_a_loop_over_long_text_stops() -> None:
    with pytest.raises(LimitExceededError, match="prints more than"):
        parse("{range .w[*]}" + "x" * 60_000 + "{end}").text({"w": [1] * 1000})
