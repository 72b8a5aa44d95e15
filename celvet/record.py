"""Classes of fields that nobody changes: dataclasses that take a quarter of the time to make.

A run for one file makes two hundred such classes, and `dataclass(frozen=True, slots=True)` compiles
six methods for each. Here it compiles one. That a field is set is found by mypy, not while it
runs, so that an instance takes a third of the time as well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

ClassT = TypeVar("ClassT", bound=type)


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: ClassT, /) -> ClassT: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    *, eq: bool = True, kw_only: bool = False, weakref_slot: bool = False
) -> Callable[[ClassT], ClassT]: ...


def record(cls: Any = None, /, *, eq: bool = True, **options: bool) -> Any:
    """Make a class with slots for its fields; without `eq`, an instance equals itself alone.

    A method that the class has itself counts.
    """
    if cls is None:
        return partial(record, eq=eq, **options)
    made: Any = dataclass(repr=False, eq=False, slots=True, **options)(cls)
    methods = {"__repr__": _repr, **(_comparing(made) if eq else {})}
    for name in methods.keys() - vars(cls).keys():
        setattr(made, name, methods[name])
    return made


def _repr(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _comparing(cls: Any) -> dict[str, Callable[..., object]]:
    """How instances are compared and hashed: by the fields that count."""
    names = [each.name for each in fields(cls) if each.compare]
    values: Callable[[Any], Hashable] = attrgetter(*names) if names else type

    def equal(self: Any, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}
