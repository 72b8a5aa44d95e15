"""Values of scalars: the table holds the answers of Kubernetes' own decoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celvet.lint.manifest import read
from tests.tables import read_table

_CASES = read_table(Path(__file__).with_name("data").joinpath("values.yaml"))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["text"])
def test_value(case: dict[str, str]) -> None:
    value = read(f"a: {case['text']}\n").documents[0].value["a"]
    expected = json.loads(case["json"])
    assert (type(value), value) == (type(expected), expected)


@pytest.mark.parametrize("style", ["'{}'", '"{}"', "|-\n  {}", ">-\n  {}"])
def test_only_plain_scalars_are_resolved(style: str) -> None:
    for text in ("true", "1", "null", "1.5"):
        assert read("a: " + style.format(text)).documents[0].value == {"a": text}


def test_a_long_number_is_not_computed() -> None:
    digits = "9" * 100_000
    assert read(f"a: {digits}").documents[0].value == {"a": digits}


def test_explicit_entries_win_over_merged_ones() -> None:
    text = (
        "a: &a {p: 1, q: 1}\nb: &b {q: 2, r: 2}\nc: {p: 0, <<: [*a, *b], r: 0}\nd: {<<: [*b, *a]}\n"
    )
    value = read(text).documents[0].value
    assert value["c"] == {"p": 0, "q": 1, "r": 0}
    assert value["d"] == {"p": 1, "q": 2, "r": 2}


def test_aliases_share_the_object() -> None:
    value = read("a: &a [1]\nb: *a\n").documents[0].value
    assert value["a"] is value["b"]


def test_a_quoted_merge_key_is_a_name() -> None:
    assert read('"<<": {a: 1}\n').documents[0].value == {"<<": {"a": 1}}
