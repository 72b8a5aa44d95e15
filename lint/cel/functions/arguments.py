"""Checks the arguments of functions in Python, which may be of any type."""

from __future__ import annotations

from typing import Any, NoReturn


def refuse(words: str = "no such overload") -> NoReturn:
    """End the evaluation as cel-go does for a type that no overload takes, or by other words."""
    raise ValueError(words)


def require(kind: type, value: Any, words: str = "no such overload") -> Any:
    """A value of this type; any other ends the evaluation."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        refuse(words)
    return value


def is_equal(one: Any, other: Any) -> bool:
    """Whether two values are equal; a bool and a number never are."""
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)
