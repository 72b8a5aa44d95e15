"""`record` works like a frozen dataclass with slots."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from functools import cached_property

import pytest

from celvet.record import field, field_names, record, replace


@record
class Point:
    """A point, with a note that is not compared."""

    x: int
    y: int = 0
    note: str = field(default="", compare=False, repr=False)


@record
class Nothing:
    """Has no fields."""


@record(eq=False, kw_only=True)
class Thing:
    """Equals only itself."""

    name: str


@record
class Named:
    """Is hashed by its name."""

    name: str
    values: dict[str, int]

    def __hash__(self) -> int:
        return hash(self.name)


@record
class Base:
    """Has a field and a list of its own."""

    name: str
    found: list[int] = field(default_factory=list)


@record
class Derived(Base):
    """Has one more."""

    more: str = "more"


@record(kw_only=True)
class Options:
    """A field without a default stands behind one with it."""

    given: bool = True
    made: dict[str, int] = field(default_factory=dict)
    needed: str


@record
class Positive:
    """Checks its fields after they are set."""

    number: int

    def __post_init__(self) -> None:
        if self.number <= 0:
            raise ValueError(self.number)


def test_it_can_refuse_its_fields() -> None:
    assert Positive(1).number == 1
    with pytest.raises(ValueError, match="0"):
        Positive(0)


@record(slots=False)
class Remembering:
    """Computes a value once."""

    name: str = field(repr=False)

    @cached_property
    def upper(self) -> str:
        """The name in capitals."""
        return self.name.upper()


def test_without_slots_it_can_remember_something() -> None:
    one = Remembering("a")
    assert one.upper == "A"
    assert vars(one) == {"name": "a", "upper": "A"}
    assert one == Remembering("a")
    assert repr(replace(one, name="b")) == "Remembering()"


def test_a_default_is_made_for_each_instance() -> None:
    one, other = Base("a"), Base("a")
    one.found.append(1)
    assert other == Base("a", [])
    assert Options(needed="x").made is not Options(needed="x").made


def test_it_has_the_fields_of_its_base_first() -> None:
    assert Derived("a", [1]) == Derived("a", found=[1], more="more")
    assert [each.name for each in dataclasses.fields(Derived)] == ["name", "found", "more"]
    assert field_names(Derived) == ("name", "found", "more")
    assert replace(Derived("a"), more="b") == Derived("a", [], "b")


def test_fields_are_asked_for_by_name() -> None:
    assert replace(Options(needed="x"), needed="y") == Options(needed="y", given=True, made={})
    with pytest.raises(TypeError, match="positional"):
        Options("x")


def test_a_field_without_a_default_is_needed() -> None:
    with pytest.raises(TypeError, match=r"^Point.__init__\(\) missing .* 'x'"):
        Point()
    with pytest.raises(TypeError, match="needed"):
        Options()


def test_a_field_of_dataclasses_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.names: use the `field` of celvet\.record"):

        @record
        class Wrong:
            names: list[str] = dataclasses.field(default_factory=list)


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


@dataclasses.dataclass
class Ordinary:
    """Not a record."""

    x: int
    y: int = 0


def test_a_copy_has_other_values() -> None:
    assert replace(Point(1, note="here"), y=2).note == "here"
    assert replace(Ordinary(1), y=2) == Ordinary(1, 2)
    with pytest.raises(TypeError, match="'z'"):
        replace(Point(1), z=2)  # type: ignore[call-arg]


def test_it_is_a_dataclass() -> None:
    assert dataclasses.replace(Point(1), y=2) == Point(1, 2)
    assert dataclasses.asdict(Base("a", [1])) == {"name": "a", "found": [1]}
    assert repr(dataclasses.fields(Options)[2].default) == repr(dataclasses.MISSING)
    assert not hasattr(Point(1), "__dict__")
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize("value", [Point(1, 2), Nothing(), Named("a", {"b": 1})])
def test_it_can_be_sent_to_another_process(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
