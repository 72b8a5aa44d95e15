"""`regex`: a pattern of `re` that is compiled when it is used."""

from __future__ import annotations

import re

import pytest

from celvet.regex import compiled_later, regex


def test_it_does_what_a_pattern_does() -> None:
    word = regex(r"(?P<first>[a-z])[a-z]*")
    for _ in range(2):
        assert word.fullmatch("abc")
        assert word.sub("x", "ab cd") == "x x"
        assert [each["first"] for each in word.finditer("ab cd")] == ["a", "c"]
    assert word.groupindex == {"first": 1}
    assert word.pattern == r"(?P<first>[a-z])[a-z]*"


def test_it_has_flags_and_bytes() -> None:
    assert regex("a", re.IGNORECASE).match("A")
    assert regex(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_a_wrong_one_is_found_when_it_is_used() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.match("")


def test_what_others_compile_meanwhile_is_compiled_when_it_is_used() -> None:
    compile_ = re.compile
    with compiled_later():
        wrong = re.compile("(")
    assert re.compile is compile_
    with pytest.raises(re.error):
        wrong.match("")


def test_an_error_ends_it() -> None:
    compile_ = re.compile
    with pytest.raises(KeyError), compiled_later():
        raise KeyError
    assert re.compile is compile_
