"""Every mistake in `data/problems.yaml` gives one message, and the other documents are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.locate import Locator
from celvet.lint.manifest import KINDS, read
from celvet.lint.model import Where
from tests.tables import read_table

_CASES = read_table(Path(__file__).with_name("data").joinpath("problems.yaml"))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_mistake(case: dict[str, Any]) -> None:
    manifest = read(case["text"])
    locator = Locator(manifest)
    problems = list(manifest.all_problems())
    assert [document.value for document in manifest.documents if document.root] == case.get(
        "values", []
    )
    if "problem" not in case:
        assert problems == []
        return
    [problem] = problems
    kind, message = case["problem"].split(" ", 1)
    assert problem.kind == kind
    assert message.replace("key value", "key: value") in problem.message
    assert _place(locator, problem.where) == case["at"]
    related = [_place(locator, also.where) for also in problem.related]
    assert related == ([case["related"]] if "related" in case else [])


def _place(locator: Locator, where: Where) -> str:
    place = locator.place(where)
    return f"{place.line}:{place.column}-{place.end_line}:{place.end_column}"


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_house_rules_for_messages(case: dict[str, Any]) -> None:
    for problem in read(case["text"]).all_problems():
        assert problem.kind in KINDS
        assert problem.message[0] == "`" or problem.message[0].islower()
        assert not problem.message.endswith(".")
        assert problem.help[0].isupper()
        assert problem.help.endswith(".")


def test_every_kind_is_shown() -> None:
    shown = {case["problem"].split()[0] for case in _CASES if "problem" in case}
    elsewhere = {"alias-bomb", "binary", "encoding", "too-deep", "too-large"}
    rendered = {"template-execution", "template-syntax", "template-unsupported"}
    assert shown | elsewhere | rendered == set(KINDS)


@pytest.mark.parametrize("text", ["{0}: 1\n{0}: 2\n", "a: *{0}\n", "a: !!int {0}\n"])
def test_a_message_stays_short(text: str) -> None:
    for problem in read(text.format("x" * 900)).all_problems():
        assert len(problem.message) < 200
        assert "xxx..." in problem.message


def test_a_flood_of_problems_is_cut() -> None:
    manifest = read("x:\n" + "  a: 1\n" * 5000 + "b: [\n")
    problems = manifest.documents[0].problems
    assert len(problems) == 101
    assert problems[-1].kind == "yaml-syntax"


def test_an_escaped_slash_is_right_in_json_alone() -> None:
    assert [*read('{"a": "x\\/y"}').all_problems()] == []
    assert [*read(' ["x\\/y"]').all_problems()] == []
    [problem] = read('a: "x\\/y"').all_problems()
    assert problem.kind == "bad-value"
