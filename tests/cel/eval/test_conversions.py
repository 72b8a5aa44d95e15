"""Strings, converted as Go does."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.cel.functions import conversions
from celvet.lint.cel.functions.constants import TIMESTAMP, BadConversion, ConstantValue, convert
from celvet.lint.go.durations import parse_duration
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("conversions.yaml"))
_SCALARS = ("bool", "int", "uint", "double")


def _convert(kind: str, text: str) -> Any:
    return convert(kind, ConstantValue("string", text)).value


_PARSERS = {
    **{kind: partial(_convert, kind) for kind in _SCALARS},
    "duration": parse_duration,
    "timestamp": conversions.parse_timestamp,
}


def _rows(section: str) -> list[Any]:
    rows = _TABLE.section(section).items()
    return [(kind, text) for kind, texts in rows for text in texts]


@pytest.mark.parametrize(("kind", "text"), _rows("read"))
def test_reads(kind: str, text: str) -> None:
    wanted = _TABLE.section("read")[kind][text]
    read = _PARSERS[kind](text)
    assert read == (tuple(wanted) if isinstance(wanted, list) else wanted)
    assert not isinstance(wanted, bool) or read is wanted


@pytest.mark.parametrize(("kind", "text"), _rows("refused"))
def test_refuses(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        _PARSERS[kind](text)


def test_infinities_and_nan() -> None:
    assert _convert("double", "-Inf") == -math.inf
    assert _convert("double", "infinity") == math.inf
    assert math.isnan(_convert("double", "NaN"))


@given(
    st.sampled_from(sorted(_PARSERS)), st.text("0123456789.-+eEpPxX_:TZzhmsuµnft, ", max_size=30)
)
def test_a_text_is_read_whole_or_refused(kind: str, text: str) -> None:
    with suppress(ValueError):
        assert _PARSERS[kind](text) is not None
    for padded in (f" {text}", f"{text}\n"):
        with pytest.raises(ValueError, match=r"^"):
            _PARSERS[kind](padded)


@given(st.integers(-(2**63), 2**63 - 1))
def test_whatever_go_writes_it_reads(number: int) -> None:
    assert _convert("int", str(number)) == number
    assert parse_duration(f"{number}ns") == number


@pytest.mark.parametrize(
    ("function", "constant", "message"),
    [
        ("int", ConstantValue("double", 2.0**63), "integer overflow"),
        ("int", ConstantValue("double", math.nan), "integer overflow"),
        ("int", ConstantValue("uint", 2**63), "integer overflow"),
        ("uint", ConstantValue("int", -1), "unsigned integer overflow"),
        ("timestamp", ConstantValue("int", 253402300800), "timestamp overflow"),
        ("timestamp", ConstantValue("string", "0001-01-01T00:00:00+01:00"), "timestamp overflow"),
        ("duration", ConstantValue("int", 1), "type conversion error from 'int'"),
        ("int", ConstantValue("bool", True), r"no such overload: int\(bool\)"),
        ("string", ConstantValue("bytes", b"\xff"), "invalid UTF-8 in bytes"),
    ],
)
def test_constants_that_cannot_be_converted(
    function: str, constant: ConstantValue, message: str
) -> None:
    with pytest.raises(BadConversion, match=message):
        convert(function, constant)


@pytest.mark.parametrize(
    ("function", "constant", "result"),
    [
        ("int", ConstantValue("double", -1.9), ConstantValue("int", -1)),
        ("dyn", ConstantValue("null_type"), ConstantValue("null_type")),
        ("type", ConstantValue("type"), ConstantValue("type")),
        ("bytes", ConstantValue("string", "é"), ConstantValue("bytes", b"\xc3\xa9")),
        ("int", ConstantValue("google.protobuf.Timestamp", 7), ConstantValue("int", 7)),
        ("double", ConstantValue("int", 2), ConstantValue("double", 2.0)),
        ("string", ConstantValue(TIMESTAMP, -1), ConstantValue("string", "1969-12-31T23:59:59Z")),
    ],
)
def test_constants_that_can(function: str, constant: ConstantValue, result: ConstantValue) -> None:
    assert convert(function, constant) == result
