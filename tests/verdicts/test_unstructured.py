from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.verdicts.unstructured import (
    ABSENT,
    FieldTypeError,
    field,
    integer_field,
    integer_or,
    list_field,
    text_field,
    text_or,
    timestamp,
)


def test_absent_and_null_are_distinguished() -> None:
    obj: Any = {"a": None, "b": {"c": 1}}
    assert field(obj, "a") is None
    assert field(obj, "a", "x") is ABSENT
    assert field(obj, "b", "x") is ABSENT
    assert field(obj, "b", "c") == 1
    assert field(obj) is obj


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (text_field, None, "<nil> is of the type <nil>, expected string"),
        (text_field, 5, "5 is of the type int64, expected string"),
        (integer_field, "5", "5 is of the type string, expected int64"),
        (integer_field, True, "true is of the type bool, expected int64"),
        (integer_field, 1e7, "1e+07 is of the type float64, expected int64"),
        (integer_field, 2**63, "9.223372036854776e+18 is of the type float64, expected int64"),
        (list_field, {"b": [1], "a": None}, "map[a:<nil> b:[1]] is of the type "),
    ],
)
def test_wrong_types_are_reported_in_the_words_of_go(read: Any, value: Any, message: str) -> None:
    with pytest.raises(FieldTypeError) as caught:
        read({"status": {"x": value}}, "status", "x")
    assert str(caught.value).startswith(f".status.x accessor error: {message}")


def test_a_path_through_a_text_is_an_error_at_the_step_that_fails() -> None:
    with pytest.raises(FieldTypeError) as caught:
        text_field({"status": "x"}, "status", "phase", "deep")
    assert ".status.phase accessor error: x is of the type string, expected map" in str(
        caught.value
    )


def test_defaults_stand_for_anything_of_another_type() -> None:
    obj: Any = {"text": "t", "number": 3, "null": None}
    assert text_or("d", obj, "text") == "t"
    assert text_or("d", obj, "number") == text_or("d", obj, "null") == text_or("d", 5, "x") == "d"
    assert integer_or(7, obj, "number") == 3
    assert integer_or(7, obj, "text") == integer_or(7, obj, "absent") == 7


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T3:04:05,5Z", datetime(2026, 1, 2, 3, 4, 5, 500000, tzinfo=UTC)),
        (
            "2026-01-02T03:04:05.123456789-01:30",
            datetime(2026, 1, 2, 3, 4, 5, 123456, timezone(-timedelta(hours=1, minutes=30))),
        ),
        ("2026-02-30T03:04:05Z", None),
        ("2026-01-02T24:00:00Z", None),
        ("2026-01-02", None),
        ("2026-01-02T03:04:05", None),
        ("2026-W01-1T03:04:05Z", None),
        ("٢٠٢٦-01-02T03:04:05Z", None),
        ("", None),
    ],
)
def test_time_stamps_are_those_of_go(text: str, instant: datetime | None) -> None:
    assert timestamp(text) == instant


@given(st.datetimes(timezones=st.timezones()))
def test_every_rfc_3339_text_is_read(instant: datetime) -> None:
    written = instant.astimezone(UTC)
    assert timestamp(written.isoformat().replace("+00:00", "Z")) == written


@given(st.text(alphabet="0123456789-T:.,Z+", max_size=40))
def test_a_text_is_read_with_its_year_and_zone_or_not_at_all(text: str) -> None:
    instant = timestamp(text)
    assert instant is None or (text.startswith(f"{instant.year:04}-") and instant.tzinfo)
