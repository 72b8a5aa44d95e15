"""The fields that expressions read of an object, and the values they are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from celvet.lint.model import Value
from celvet.lint.predict.reads.field_names import is_conditions
from celvet.lint.predict.reads.terms import Steps
from celvet.record import record


@record
class Field:
    """A field that is read.

    `values` are those it is compared with, in the order of the text; `peers` are the fields it is
    compared with. `ordered` says that it is compared with `<` or `>`, `asked` that an expression
    tests whether it exists. Its `number` is unique among the fields of the same expressions.
    """

    path: Steps
    values: tuple[Value, ...] = ()
    peers: tuple[Steps, ...] = ()
    ordered: bool = False
    asked: bool = False
    number: int = 0

    @property
    def numeric(self) -> bool:
        """Whether it is compared with a number."""
        return any(type(value) in (int, float) for value in self.values)

    @property
    def optional(self) -> bool:
        """Whether expressions only test whether it exists."""
        return self.asked and not (self.values or self.peers or self.ordered)


@record
class Reading:
    """What expressions read: fields by path in the order of the text, and lists they loop over.

    `loops` counts the loops. `complete` is False if a field is compared with more
    values than are kept.
    """

    fields: Mapping[Steps, Field]
    lists: tuple[Steps, ...]
    loops: int
    complete: bool = True

    def leaves(self) -> Iterator[Field]:
        """The fields below which no other field is read."""
        parents = {
            path[:depth] for path in (*self.fields, *self.lists) for depth in range(len(path))
        }
        return (field for path, field in self.fields.items() if path not in parents)

    def conditions(self) -> tuple[Steps, ...]:
        """The lists of conditions: by their name, or because a `type` is read."""
        by_type = (
            path[:-2] for path, field in self.fields.items() if _is_type(path) and field.values
        )
        by_name = (path for path in (*self.fields, *self.lists) if is_conditions(path))
        return tuple(dict.fromkeys([*by_name, *by_type]))

    def values(self, lists: Iterable[Steps], name: str) -> tuple[str, ...]:
        """The texts that a field of the lists' elements is compared with."""
        fields = (self.fields.get((*steps, None, name)) for steps in lists)
        texts = (value for field in fields if field for value in field.values)
        return tuple(dict.fromkeys(text for text in texts if isinstance(text, str)))


def _is_type(path: Steps) -> bool:
    return path[-2:] == (None, "type")
