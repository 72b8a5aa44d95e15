"""The static analysis of a path, compared with its results on objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.jsonpath import CompiledPath, EvaluationError, compile_path
from tests.jsonpath.dialects import DIALECTS
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("analysis.yaml"))


def _plain(text: str) -> CompiledPath:
    return compile_path(text, DIALECTS["none"])


@pytest.mark.parametrize("case", _TABLE.cases("several"))
def test_several_and_constant(case: dict[str, Any]) -> None:
    compiled = _plain(case["path"])
    assert compiled.refusal is None
    assert (compiled.several, compiled.constant) == (case["several"], case["constant"])


@pytest.mark.parametrize("case", _TABLE.cases("fields"))
def test_fields(case: dict[str, Any]) -> None:
    found = [
        ".".join("*" if step is None else str(step) for step in field.path)
        + "="
        + case["path"][slice(*field.span)]
        for field in _plain(case["path"]).fields()
    ]
    assert found == case["fields"]


def _full(depth: int) -> dict[str, Any]:
    """An object that has every key of the table at every level, lists among them."""
    if not depth:
        return {}
    inner = _full(depth - 1)
    return dict.fromkeys("bcx", inner) | {"a": [inner] * 4}


@pytest.mark.parametrize("case", _TABLE.cases("several"))
def test_what_is_said_of_several_holds(case: dict[str, Any]) -> None:
    template = _plain(case["path"]).template
    assert template is not None
    for depth in range(4):
        try:
            count = sum(map(len, template.find(_full(depth), allow_missing=True)))
        except EvaluationError:  # an object without the fields of the path proves nothing
            continue
        if case["several"] == "never":
            assert count <= 1
        if case["several"] == "always" and depth == 3:
            assert count > 1


def test_fields_are_placed_in_the_users_text() -> None:
    for style, text in (("ends", "é.b}"), ("relaxed", "{é.b}"), ("none", "😀{.é.b}")):
        spans = [field.span for field in compile_path(text, DIALECTS[style]).fields()]
        assert [text[slice(*span)] for span in spans] == ["é", "b"]


@pytest.mark.slow
def test_fields_are_bounded() -> None:
    assert len(_plain("{" + ".a" * 20_000 + "}").fields()) == 100
    wide = ",".join(["'a'"] * 200)
    assert len(_plain("{" + f"[{wide}]" * 20 + "}").fields()) < 100_000
    assert len(_plain(f"{{range [{wide}]}}" + "{.a}" * 10_000).fields()) < 11_000
