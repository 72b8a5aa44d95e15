"""A rendered text is read within bounds, as go-yaml reads it or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.resourceset.documents import read_value
from celvet.lint.resourceset.errors import ReadError, TooLargeError, UnreadError


@pytest.mark.parametrize("piece", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_an_error(piece: str) -> None:
    with pytest.raises(ReadError, match="nested too deeply"):
        read_value(piece * 20_000)


@pytest.mark.parametrize("text", ["[" + "1," * 30_000, "a: &a [1, 1]\n" + "b: *a\n" * 5_000])
def test_a_text_of_many_values_is_not_read(text: str) -> None:
    with pytest.raises(TooLargeError, match="more than 10000 values"):
        read_value(text)


@pytest.mark.parametrize(
    "text",
    ["a: &x 1\nb: &x 2\nc: *x", '"it\\\'s"', "\n\ufeff"],
    ids=["an anchor twice", "an escape", "a mark on a later line"],
)
def test_what_go_takes_and_libyaml_does_not_is_not_read(text: str) -> None:
    with pytest.raises(UnreadError):
        read_value(text)


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


@pytest.mark.slow
def test_a_text_has_as_many_values_as_it_may() -> None:
    fitting = "[" + ", ".join(["1"] * 9_999) + "]"
    assert len(read_value(fitting)) == 9_999
    with pytest.raises(TooLargeError):
        read_value(fitting.replace("]", ", 1]"))


def test_a_text_is_as_deep_as_it_may_be() -> None:
    assert read_value("[" * 200 + "]" * 200)
    with pytest.raises(ReadError, match="nested too deeply"):
        read_value("[" * 201 + "]" * 201)
