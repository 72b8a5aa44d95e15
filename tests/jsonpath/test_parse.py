"""The parser against client-go's: what it accepts, its nodes and its messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.lint.jsonpath import JSONPathError, parse
from celvet.lint.jsonpath.hints.analysis import descend
from celvet.lint.jsonpath.parse.nodes import FieldNode, FilterNode, IdentifierNode
from tests.jsonpath.shape import shape
from tests.tables import Table

_TABLE = Table(Path(__file__).with_name("parse.yaml"))


@pytest.mark.parametrize("case", _TABLE.cases("accepted"))
def test_accepts(case: dict[str, Any]) -> None:
    shapes = [shape(group) for group in parse(case["path"]).groups]
    assert repr(shapes) == repr(case["groups"])


@pytest.mark.parametrize("case", _TABLE.cases("refused"))
def test_refuses(case: dict[str, Any]) -> None:
    with pytest.raises(JSONPathError) as caught:
        parse(case["path"])
    error = caught.value
    assert (error.cause, error.wording) == (case["cause"], case["says"])
    assert case["path"][slice(*error.span)] == case["at"]
    assert case["says"] in error.message


def test_spans_of_keys_are_their_names_wherever_they_stand() -> None:
    text = "😀{.a['b\\.c']['d','e'][?(@.f=='g')].h} {range .i}"
    found = [
        text[slice(*node.span)]
        for node in descend(parse(text).groups)
        if isinstance(node, (FieldNode, IdentifierNode))
    ]
    assert found == ["a", "b\\.c", "d", "e", "f", "h", "range", "i"]


def test_spans_of_groups_cover_their_braces() -> None:
    text = "é{.a}x{.b}"
    assert [text[slice(*group.span)] for group in parse(text).groups] == ["é", "{.a}", "x", "{.b}"]


def test_a_lone_surrogate_is_read_as_go_reads_it() -> None:
    assert shape(parse("{.a\ud800b}").groups[0]) == [".a\ufffdb"]


def test_what_is_too_long_is_not_analysed() -> None:
    assert parse("x" * 65_536).groups
    with pytest.raises(JSONPathError) as caught:
        parse("x" * 65_537)
    assert caught.value.cause == "too-large"


def test_filters_nest_as_far_as_quotes_go() -> None:
    text = """{[?(@.'[?(@."[?(@.a)].")].')]}"""
    filters = [node for node in descend(parse(text).groups) if isinstance(node, FilterNode)]
    assert len(filters) == 3
