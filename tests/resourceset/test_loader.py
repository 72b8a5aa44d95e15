"""libyaml reads a rendered text as the loader with go-yaml's habits does, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celvet.lint.resourceset import loader
from celvet.lint.resourceset.documents import read_value
from celvet.lint.resourceset.errors import ReadError

_PIECES = (
    *("a: b", "- x", "key:", " ", "  ", "\n", "\n  ", "\n- ", "'it''s'", '"x\\ny"', "|\n  text\n"),
    *("&a x", "*a", "{a: 1, b: [1,2]}", "[a, b]", "{a:1}", "? k", " # c", "<<: *a", "---", "..."),
    *("!!str 1", "!!int x", "%YAML 1.1", "1_0", "0x1f", "~", "null", ">-\n  fold\n  ed\n", ":"),
    *("http://x:1", "@x", "'", '"', "}", "]", "\\", "é", "\x85", "\u2028", "|2\n   x", "- - a"),
    *("!x y", "|+\n\n", "\t", "\ufeff", "\x07", "\r\n", "12:30:45", "1e3", "2001-01-01", "=", "+1"),
)
TEXTS = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=9).map("".join)


def _read(text: str) -> tuple[Any, ...]:
    try:
        return ("value", repr(read_value(text)))
    except ReadError as error:
        return ("error", str(error), error.line)


@example("a: b]\n%YAML 1.1#c")
@given(TEXTS)
def test_both_read_the_same(text: str) -> None:
    quick = _read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loader, "_MOST_BRACKETS", 0)
        assert _read(text) == quick


@pytest.mark.parametrize("piece", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_an_error(piece: str) -> None:
    with pytest.raises(ReadError, match="nested too deeply"):
        read_value(piece * 20_000)
