"""`record`: what a dataclass that is frozen and has slots can do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import field, replace

import pytest

from celvet.record import record


@record
class Point:
    """A point, with a note that does not count."""

    x: int
    y: int = 0
    note: str = field(default="", compare=False, repr=False)


@record
class Nothing:
    """Has no fields."""


@record(eq=False, kw_only=True)
class Thing:
    """Equals itself alone."""

    name: str


@record
class Named:
    """Is hashed by its name."""

    name: str
    values: dict[str, int]

    def __hash__(self) -> int:
        return hash(self.name)


def test_it_equals_one_with_the_same_fields() -> None:
    assert Point(1, note="here") == Point(1)
    assert hash(Point(1, note="here")) == hash(Point(1))
    assert Point(1) != Point(2)
    assert Point(1) != (1, 0)
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())
    assert Point(0) != Nothing()


def test_it_can_equal_itself_alone() -> None:
    thing = Thing(name="a")
    assert thing == thing  # noqa: PLR0124 - that is the question
    assert thing != Thing(name="a")


def test_its_own_method_counts() -> None:
    assert hash(Named("a", {})) == hash("a")
    assert Named("a", {"b": 1}) != Named("a", {})


def test_it_shows_its_fields() -> None:
    assert repr(Point(1, note="here")) == "Point(x=1, y=0)"
    assert repr(Nothing()) == "Nothing()"


def test_it_is_a_dataclass() -> None:
    assert replace(Point(1), y=2) == Point(1, 2)
    assert not hasattr(Point(1), "__dict__")
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("value", [Point(1, 2), Nothing(), Named("a", {"b": 1})])
def test_it_can_be_sent_to_another_process(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
