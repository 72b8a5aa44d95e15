"""Builds the stock states of a check from what its expressions read, and from the CRD.

A state sets one thing. Every other field has a value that no expression names, so that only this
one thing matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.reads.field_names import is_progress
from celvet.lint.predict.reads.reading import Field, Reading
from celvet.lint.predict.reads.terms import Steps, at_first_elements, path_text
from celvet.lint.predict.states.building import CannotBuildError, get, put
from celvet.lint.predict.states.crd_shape import Shape
from celvet.lint.predict.states.neutral_values import (
    GENERATION,
    applied_value,
    is_counted,
    is_flag,
    neutral_value,
)
from celvet.lint.predict.states.state import Stage, State
from celvet.lint.values import ABSENT, Absent

_MOST_TYPES = 8
_APPLIED = ("apiVersion", "kind", "metadata", "spec")
"""Top-level fields that the user writes; all others come later."""

FOREIGN = ("Reconciling", "Initialized", "Scheduled", *(f"Other{n}" for n in range(_MOST_TYPES)))


class StateBuilder:
    """The objects that states begin with, and the fields that they set.

    `lists` are the lists of conditions that a controller writes, `types` the
    condition types that expressions name, `arriving` the other fields that it writes, `collections`
    the other lists and maps that expressions loop over.
    `applied` is the object as the user writes it, `neutral` has everything else as well.
    """

    def __init__(self, model: CheckModel, reading: Reading) -> None:
        self.root: Path = model.root
        self.shape = Shape(model.schema, model.root)
        self._kind, self._version = model.group_kind, model.version
        self._early = model.facts.early if model.facts else {}
        self._reading = reading
        # What controllers write later arrives in the course of a life; all else is there from the
        # beginning.
        self.lists = [path for path in reading.conditions() if self.arrives(path)]
        self.types = self.compared_texts("type")[:_MOST_TYPES]
        self.arriving = [
            leaf
            for leaf in reading.leaves()
            if self.arrives(leaf.path) and not self._in_conditions(leaf.path)
        ]
        self.collections = [
            path
            for path in reading.lists
            if self.arrives(path) and not self._in_conditions(path) and None not in path
        ]
        self.applied = self._applied_object()
        self.neutral = self._neutral_object()

    def state(self, name: str, description: str, stage: Stage, variables: Value) -> State:
        """A state of these variables."""
        return State(name, description, stage, get(variables, self.root), variables)

    def arrives(self, path: Steps) -> bool:
        """Whether a controller writes a field, rather than the user."""
        depth = len(self.root)
        is_in_object = path[:depth] == self.root and len(path) > depth
        return is_in_object and path[depth] not in _APPLIED and self.shape.has(path)

    def counts(self, field: Field) -> bool:
        """Whether a field rises while things get ready: from 0, or from false."""
        flag = is_progress(field.path) and is_flag(field, self.shape)
        return self.arrives(field.path) and (flag or is_counted(field, self.shape))

    # conditions

    def compared_texts(self, name: str) -> tuple[str, ...]:
        """The texts that a field of conditions is compared with and can have."""
        texts = self._reading.values(self.lists, name)
        return tuple(text for text in texts if self.allows(name, text))

    def allows(self, name: str, text: str) -> bool:
        """Whether conditions can have this text in a field."""
        return all(self.shape.allows((*steps, None, name), text) for steps in self.lists)

    @property
    def early_types(self) -> tuple[str, ...]:
        """The types of conditions that the catalogue knows to come first."""
        types = (self._early.get(path_text(path[len(self.root) :]), ()) for path in self.lists)
        return tuple(chain.from_iterable(types))

    @cached_property
    def foreign_condition(self) -> dict[str, Value] | None:
        """A condition of a type that no expression names, None if the CRD has none."""
        name = self._other_text("type", (*self.early_types, *FOREIGN))
        return self.condition(name, "True") if name else None

    def condition(
        self, kind: str, status: str, reason: str = "", *, behind: bool = False
    ) -> dict[str, Value]:
        """A condition with the optional fields that are read of one."""
        optional: dict[str, Value] = {
            "reason": reason or self._other_text("reason", ("Other",)),
            "message": "other",
            "observedGeneration": GENERATION - behind,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        field_names = {path[-1] for path in self._reading.fields if path[:-2] in self.lists}
        field_names |= {"observedGeneration"} if behind else set()
        fields = {name: value for name, value in optional.items() if name in field_names}
        return {"type": kind, "status": status, **fields}

    def with_conditions(self, elements: Sequence[Value], base: Value) -> Value:
        """The variables with these conditions in every list of conditions that is read."""
        for path in self.lists:
            base = with_value(base, path, list(elements))
        return base

    def _other_text(self, name: str, usual: Sequence[str]) -> str:
        """A text for a field of conditions that no expression names, empty where there is none."""
        enumerations = [self.shape.values((*steps, None, name)) for steps in self.lists]
        texts = next((texts for texts in enumerations if texts is not None), usual)
        expression_texts = self.compared_texts(name)
        return next(
            (text for text in texts if text not in expression_texts and self.allows(name, text)), ""
        )

    def _in_conditions(self, path: Steps) -> bool:
        return any(path[: len(steps)] == steps for steps in self.lists)

    # the beginning

    def _applied_object(self) -> Value:
        metadata = {"name": "example", "generation": GENERATION}
        base = put({}, self.root, {**head(self._kind, self._version), "metadata": metadata})
        for leaf in self._reading.leaves():
            if not self.arrives(leaf.path) and self.shape.has(leaf.path):
                base = with_new(base, leaf.path, applied_value(leaf, self.shape))
        return base

    def _neutral_object(self) -> Value:
        base = self.with_conditions(
            [self.foreign_condition] if self.foreign_condition else [], self.applied
        )
        for field in self.arriving:
            base = with_value(base, field.path, neutral_value(field, self.shape))
        return base


def head(kind: GroupKind, api_version: str = "") -> dict[str, Value]:
    """The first fields of an object of a kind, of any version if none is known."""
    version = api_version or (f"{kind.group}/v1" if kind.group else "v1")
    return {"apiVersion": version, "kind": kind.kind or "Example"}


def with_value(base: Value, path: Steps, value: Value | Absent) -> Value:
    """The object with a value at a path; as it was for no value, or if there is no such place."""
    try:
        return base if value is ABSENT else put(base, at_first_elements(path), value)
    except CannotBuildError:
        return base


def with_new(base: Value, path: Steps, value: Value | Absent) -> Value:
    """The object with a value at a path that has none there; an existing value stays."""
    return with_value(base, path, value) if get(base, at_first_elements(path)) is ABSENT else base
