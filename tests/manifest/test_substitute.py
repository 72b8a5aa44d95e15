"""Substitution of one text: the table holds envsubst's answers; places go back to the original."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.manifest.substitute.substitution import substitute
from celvet.lint.model import Span
from tests.tables import read_table

_TABLE = read_table(Path(__file__).with_name("data") / "substitutions.yaml")
_PARTS = [
    "${a}",
    "${b:=def}",
    "${b:=x${a}y}",
    "$$",
    "${",
    "}",
    "text",
    "é",
    "${a/o/0}",
    "${c}",
    ":",
]


@pytest.mark.parametrize("case", _TABLE["cases"], ids=lambda case: case["text"])
def test_envsubst_says_so(case: dict[str, Any]) -> None:
    result = substitute(case["text"], _TABLE["variables"])
    assert bool(result.refusal) == (case["want"] is None)
    assert result.text == (case["text"] if case["want"] is None else case["want"])


def test_missing_variables_are_named_once_in_order() -> None:
    result = substitute("${x}${y^^}${x}${z:=}${w:=${v}}${a:=${u}}", {"a": "1"})
    assert result.missing == ("x", "y", "v")


def test_an_unused_default_misses_nothing() -> None:
    assert substitute("${a:=${nope}}", {"a": "1"}).missing == ()


@pytest.mark.parametrize(
    ("span", "original"),
    [
        ((0, 3), "is "),
        ((3, 4), "${long}"),
        ((2, 6), " ${long}"),
        ((9, 10), "d"),
        ((9, 13), "defa"),
        ((8, 17), " ${b:=default} "),
        ((17, 18), "$"),
        ((4, 4), ""),
    ],
)
def test_origin(span: tuple[int, int], original: str) -> None:
    result = substitute("is ${long} ${b:=default} $$", {"long": "VALUE"})
    assert result.text == "is VALUE default $"
    start, end = result.origin(Span(*span))
    assert result.original[start:end] == original


@given(st.lists(st.sampled_from(_PARTS), max_size=8).map("".join))
def test_every_piece_that_was_copied_is_found(text: str) -> None:
    result = substitute(text, {"a": "foo"})
    last = 0
    for at, char in enumerate(result.text):
        start, end = result.origin(Span(at, at + 1))
        assert last <= start < end <= len(text)
        piece = text[start:end]
        assert piece == char or piece.startswith("${")
        last = start


@given(st.text("${}ab:=-/#%^,*[]\\ 1é", max_size=30))
def test_hostile_texts_give_an_answer(text: str) -> None:
    result = substitute(text, {"a": "aXa", "b": ""})
    if result.refusal:
        assert result.text == text
    assert result.origin(Span(0, len(result.text))).end <= len(text)


def test_multiplying_replacements_are_refused() -> None:
    bomb = "z"
    for _ in range(12):
        bomb = f"${{a//x/{bomb}}}"
    assert "too long" in substitute(bomb, {"a": "x" * 50}).refusal


def test_deep_nesting_is_refused() -> None:
    assert "deep" in substitute("${a:=" * 5000 + "}" * 5000, {}).refusal


def test_a_hostile_glob_ends() -> None:
    assert substitute("${a##" + "*a" * 2000 + "b}", {"a": "a" * 200}).text == "a" * 200
