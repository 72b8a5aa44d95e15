"""Strategies: expressions as users write them, expressions of every shape, and broken ones.

Texts are made by plain functions of a few random bytes (`grown`): drawing each part of a text
from a strategy of its own takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

_T = TypeVar("_T")


class Choices:
    """Decisions, one per byte; when the bytes are used up, always the first option."""

    def __init__(self, data: bytes) -> None:
        self._bytes = iter(data)

    def pick(self, options: Sequence[_T]) -> _T:
        """One of the options."""
        return options[next(self._bytes, 0) % len(options)]

    def some(self, make: Callable[[], str], most: int) -> list[str]:
        """Up to this many results of `make`."""
        return [make() for _ in range(self.pick(range(most + 1)))]


def grown(make: Callable[[Choices], _T]) -> st.SearchStrategy[_T]:
    """The results of `make` for all decisions."""
    return st.binary(min_size=16, max_size=64).map(lambda data: make(Choices(data)))


_NAMES = ["status", "spec", "metadata", "a", "x", "int", "self", "e1"]
_FIELDS = ["phase", "conditions", "x", "type", "size", "for", "in_"]
_NUMBERS = ["0", "1", "-1", "2u", "0x1F", "1.5", "-.5e3", "true", "false", "null"]
_TEXTS = ["'a'", '"é😀"', "''", "b'ab'", r"r'a\d'", "'''x\ny'''", r"'\u00e9\n'", r'b"\x00"']
_LEAVES = [*_NAMES, *_NUMBERS, *_TEXTS]
_BINARY = ["==", "!=", "<", "<=", ">", ">=", "in", "&&", "||", "+", "-", "*", "/", "%"]
_UNARY = ["!", "!!", "!!!", "-", "--", "- "]
_METHODS = ["startsWith", "size", "orValue", "unknown", "matches", "format"]
_FUNCTIONS = ["int", "size", "timestamp", "string", ".f", "unknown", "type"]
_SPACES = ["", "", " ", "\n", "  // note\n", "\t"]
_MARKS = ["", "", "?"]
_FORMS: Sequence[Callable[[Choices, Callable[[], str]], str]] = [
    lambda c, one: f"{one()}{c.pick(_SPACES)} {c.pick(_BINARY)} {one()}",
    lambda c, one: f"{c.pick(_UNARY)}({one()})",
    lambda c, one: f"{c.pick(_UNARY)}{c.pick(_LEAVES)}",
    lambda c, one: f"({one()}{c.pick(_SPACES)})",
    lambda c, one: f"({one()}).{c.pick(_FIELDS)}",
    lambda c, one: f"{c.pick(_NAMES)}.{c.pick(_FIELDS)}",
    lambda c, one: f"({one()}).?{c.pick(_FIELDS)}",
    lambda c, one: f"({one()})[{c.pick(['', '?'])}{one()}]",
    lambda c, one: f"({one()}).{c.pick(_METHODS)}({', '.join(c.some(one, 3))})",
    lambda c, one: f"{c.pick(_FUNCTIONS)}({', '.join(c.some(one, 3))})",
    lambda c, one: f"({one()}) ? ({one()}) : {one()}",
    lambda c, one: f"[{', '.join(c.some(lambda: c.pick(_MARKS) + one(), 3))}]",
    lambda c, one: f"{{{', '.join(c.some(lambda: f'{c.pick(_MARKS)}{one()}: {one()}', 2))}}}",
    lambda c, one: f"google.protobuf.Int32Value{{value: {one()}}}",
    lambda c, one: f"has(({one()}).{c.pick(_FIELDS)})",
    lambda c, one: f"({one()}).exists(c, {one()})",
    lambda c, one: f"({one()}).map(c, {one()}, {one()})",
    lambda c, one: f"({one()}).optMap(v, {one()})",
]
"""Every form of the grammar, over given parts."""


def _expression(c: Choices, depth: int = 4) -> str:
    if depth == 0 or c.pick(range(5)) == 0:
        return c.pick(_LEAVES)
    return c.pick(_FORMS)(c, lambda: _expression(c, depth - 1))


EXPRESSIONS = grown(_expression)
"""Texts, nearly all of which parse."""

_NOISE = st.sampled_from(list("'\"()[]{},.?:&|!=<>-+*/%$`@#;\\ \n\t~^0ux😀é\x00\ud800“"))


@st.composite
def broken(draw: st.DrawFn) -> str:
    """An expression with a few characters inserted, removed or cut off."""
    text = draw(EXPRESSIONS)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        kept = draw(st.integers(0, 2))
        text = text[:place] + draw(st.one_of(_NOISE, st.just(""))) + text[place + kept :]
    return text


ANY_TEXT = st.one_of(broken(), st.text(max_size=40))
"""Any value of a manifest."""

VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**80), 2**80), st.floats(), st.text(max_size=4)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["phase", "type", "x", "conditions"]), inner, max_size=3),
    ),
    max_leaves=6,
)
"""Any JSON value, and what a YAML file may have in its place."""

OBJECTS = st.dictionaries(st.sampled_from(["status", "spec", "a", "x"]), VALUES, max_size=3)
