"""Tests for the form of a JSON value, put together from smaller ones, and the error for a key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from celvet.schemas.errors import FormError

Test: TypeAlias = Callable[[Any], bool]


class Form(NamedTuple):
    """A test for the value of a key, and what the value is, in the words of a message."""

    holds: Test
    words: str


def check_forms(content: Mapping[str, Any], forms: Mapping[str, Form]) -> None:
    """Test the values of all keys that have a form; raises `FormError` for the first wrong one."""
    for key, value in content.items():
        if key in forms and not forms[key].holds(value):
            raise FormError(f"`{key}` cannot be {value!r:.80}; it is {forms[key].words}")


def instance(*types: type) -> Test:
    """Whether a value has one of the types."""
    return lambda value: isinstance(value, types)


is_string = instance(str)
is_switch = instance(bool)
is_mapping = instance(Mapping)
is_scalar = instance(str, int, float, type(None))


def is_text(value: Any) -> bool:
    """Whether a value is a text that is not empty."""
    return isinstance(value, str) and value != ""


def is_count(value: Any) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_pattern(value: Any) -> bool:
    """Whether a value is a regular expression."""
    try:
        return bool(re.compile(value))
    except (re.error, TypeError):
        return False


def one_of(*names: str) -> Test:
    """Whether a value is one of the names."""
    return lambda value: isinstance(value, str) and value in names


def choice(*names: str) -> Form:
    """The form of a value that is one of the names."""
    return Form(one_of(*names), f"one of {', '.join(names)}")


def matching(pattern: str) -> Test:
    """Whether a value is a text that matches as a whole."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def filled(test: Test) -> Test:
    """Whether a list or mapping is not empty, and the test holds."""
    return lambda value: bool(value) and test(value)


def list_of(test: Test) -> Test:
    """Whether a value is a list of elements for which the test holds."""
    return lambda value: isinstance(value, list) and all(map(test, value))


def map_of(test: Test, key: Test = is_string) -> Test:
    """Whether a value is a mapping; tests its values and keys."""
    return lambda value: (
        isinstance(value, Mapping) and all(map(key, value)) and all(map(test, value.values()))
    )


def fields(needed: Mapping[str, Test], optional: Mapping[str, Test] | None = None) -> Test:
    """Whether a value is a mapping with the needed keys, perhaps the optional ones, and no more."""
    tests = {**needed, **(optional or {})}
    return lambda value: (
        isinstance(value, Mapping)
        and needed.keys() <= value.keys() <= tests.keys()
        and all(tests[key](part) for key, part in value.items())
    )
