"""Paths as a controller uses them: completed, refused with advice, or accepted with misreadings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.jsonpath import JSONPathError, compile_path
from celvet.lint.jsonpath.compiled import wrap
from celvet.lint.model import Span
from tests.jsonpath.dialects import DIALECTS
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("compile.yaml"))


@pytest.mark.parametrize("case", _TABLE.cases("wrapped"))
def test_wraps(case: dict[str, Any]) -> None:
    wrapped = wrap(case["path"], case["style"])
    assert wrapped.text == case["text"]
    start = wrapped.text.rindex(case["part"])
    span = wrapped.span(Span(start, start + len(case["part"])))
    assert case["path"][slice(*span)] == case["at"]


@pytest.mark.parametrize("case", _TABLE.cases("refused"))
def test_refuses_with_advice(case: dict[str, Any]) -> None:
    compiled = compile_path(case["path"], DIALECTS[case["style"]])
    refusal = compiled.refusal
    assert refusal is not None
    assert (refusal.cause, case["path"][slice(*refusal.span)]) == (case["cause"], case["at"])
    assert case["hint"] in refusal.hint
    assert compiled.template is None


@pytest.mark.parametrize("case", _TABLE.cases("refused"))
def test_words_of_a_refusal_are_in_house_style(case: dict[str, Any]) -> None:
    refusal = compile_path(case["path"], DIALECTS[case["style"]]).refusal
    assert refusal is not None
    for text in (refusal.message, refusal.hint):
        assert text[0].islower() or text[0] == "`"
        assert not text.endswith(".")


@pytest.mark.parametrize("case", _TABLE.cases("misreadings"))
def test_misreadings(case: dict[str, Any]) -> None:
    compiled = compile_path(case["path"], DIALECTS[case["style"]])
    assert compiled.refusal is None
    found = list(compiled.misreadings())
    wanted = case["misreadings"]
    assert [(slip.cause, case["path"][slice(*slip.span)]) for slip in found] == [
        (slip["cause"], slip["at"]) for slip in wanted
    ]
    for slip, want in zip(found, wanted, strict=True):
        assert slip.fails == want.get("fails", False)
        assert want.get("hint", "") in slip.hint
        assert slip.message[0] in "`a"


def test_a_misreading_that_always_fails_does() -> None:
    for case in _TABLE.section("misreadings"):
        compiled = compile_path(case["path"], DIALECTS[case["style"]])
        if any(each.fails for each in compiled.misreadings()):
            assert compiled.read({"a": {"k": 1}, "b": 1, "status": {}}).state == "error"


def test_wrap_raises_what_the_controller_refuses() -> None:
    with pytest.raises(JSONPathError, match="empty jsonpath not allowed"):
        wrap("", "ends")
    with pytest.raises(JSONPathError, match="unexpected path string"):
        wrap("{.a}{.b}", "relaxed")


def test_a_refused_path_answers_every_question() -> None:
    compiled = compile_path("{$.a", DIALECTS["ends"])
    assert (compiled.constant, compiled.several) == (False, "never")
    assert compiled.fields() == ()
    assert list(compiled.misreadings()) == []
