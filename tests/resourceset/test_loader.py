"""libyaml reads a rendered text like the loader that mirrors go-yaml, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celvet.lint.resourceset import documents, loader
from celvet.lint.resourceset.documents import read_value
from celvet.lint.resourceset.errors import ReadError, TooLargeError

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


@example("\ufeff\ufeff")
@example("- \t b")
@example("a: b\t- x")
@example("# a\nb: c # d\n# e\nf: g")
@given(TEXTS)
def test_what_libyaml_takes_is_read_the_same(text: str) -> None:
    quick = _read(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "first_node", lambda text, _: loader.slow_node(text))
        assert _read(text) == quick


@pytest.mark.parametrize("piece", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_an_error(piece: str) -> None:
    with pytest.raises(ReadError, match="nested too deeply"):
        read_value(piece * 20_000)


@pytest.mark.parametrize("text", ["[" + "1," * 30_000, "a: &a [1, 1]\n" + "b: *a\n" * 5_000])
def test_a_text_of_many_values_is_not_read(text: str) -> None:
    with pytest.raises(TooLargeError, match="more than 10000 values"):
        read_value(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x 1\nb: &x 2\nc: *x", {"a": 1, "b": 2, "c": 2}),
        ('"it\\\'s"', "it's"),
        ("\n\ufeff", "\ufeff"),
    ],
    ids=["an anchor twice", "an escape", "a mark on a later line"],
)
def test_what_go_takes_and_libyaml_does_not_is_read_if_it_is_short(text: str, value: Any) -> None:
    assert read_value(text) == value
    with pytest.raises(TooLargeError):
        read_value(text + "\n#" * 1500)


def test_a_long_text_is_refused_in_the_same_words() -> None:
    for text in ("a: b: c\n", "a:\n- b\n  - [c\n", "a: @b\n"):
        assert _read(text + "# note\n" * 500)[:2] == _read(text + "# note\n" * 2)[:2]


@pytest.mark.parametrize("text", ["a: b\n%s\n", "- a\n%d %s\n", "a: |\n  x\n%FOO\n---\nb: c\n"])
def test_a_directive_that_go_yaml_does_not_know_is_refused(text: str) -> None:
    with pytest.raises(ReadError, match="found unknown directive name"):
        read_value(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!binary aGk=", "hi"),
        ("!!str 1", "1"),
        ("!own 1", "1"),
        ("!!timestamp 2001-01-01", "2001-01-01"),
        ("!!int 12", 12),
        ("!!float 1.5", 1.5),
        ("!!null ~", None),
    ],
)
def test_a_tag_decides_what_a_scalar_is(text: str, value: Any) -> None:
    assert read_value(text) == value


@pytest.mark.parametrize("tag", ["int", "float", "bool", "null"])
def test_a_scalar_that_is_not_what_its_tag_says_is_refused(tag: str) -> None:
    with pytest.raises(ReadError, match=f"cannot decode !!str `x` as a !!{tag}$"):
        read_value(f"!!{tag} x")


def test_a_text_has_as_many_values_as_it_may() -> None:
    fitting = "[" + ", ".join(["1"] * 9_999) + "]"
    assert len(read_value(fitting)) == 9_999
    with pytest.raises(TooLargeError):
        read_value(fitting.replace("]", ", 1]"))


def test_a_text_is_as_deep_as_it_may_be() -> None:
    assert read_value("[" * 200 + "]" * 200)
    with pytest.raises(ReadError, match="nested too deeply"):
        read_value("[" * 201 + "]" * 201)
