"""Runs `typo_fixes.yaml`; the file describes its format."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet import schemas
from celvet.lint.cel import compile_expression
from celvet.lint.cel.typo_fixes import typo_fixes
from tests.tables import read_table

_CASES = read_table(Path(__file__).parent / "typo_fixes.yaml")
_DIALECT = schemas.load().dialects["flux-health"].at("0.27.0")
_PARTS = st.sampled_from(
    [
        "status.a",
        " and ",
        " or ",
        "not ",
        " = ",
        "\u2018x\u2019",
        "(",
        ")",
        ";",
        "'\\d'",
        ".`x`",
        " ",
        "&",
        "1",
    ]
)


def _corrected(text: str) -> str:
    found = typo_fixes(compile_expression(text, _DIALECT))
    spans = [each.span for each in found]
    assert spans == sorted(spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    for span, instead in reversed(found):
        text = text[: span.start] + instead + text[span.end :]
    return text


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["text"])
def test_case(case: dict[str, Any]) -> None:
    assert _corrected(case["text"]) == case.get("corrected", case["text"])


@pytest.mark.parametrize("case", [each for each in _CASES if "corrected" in each])
def test_nothing_is_corrected_that_no_hint_names(case: dict[str, Any]) -> None:
    assert compile_expression(case["text"], _DIALECT).refusals[0].hint


@given(st.lists(_PARTS, max_size=8).map("".join))
def test_what_is_corrected_compiles(text: str) -> None:
    corrected = _corrected(text)
    assert corrected == text or not compile_expression(corrected, _DIALECT).refusals


@pytest.mark.parametrize("text", ["a and " * 5_000 + "b", "a and " * 100 + "b", "\u2018" * 1_000])
def test_what_nobody_writes(text: str) -> None:
    assert typo_fixes(compile_expression(text, _DIALECT)) == ()
