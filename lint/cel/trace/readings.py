"""The fields that the steps of an evaluation read, as paths in the variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from celvet.lint.cel.syntax.tree import Call, Ident, Macro, Select
from celvet.lint.cel.syntax.vocabulary import TYPES
from celvet.lint.cel.trace.trace import TraceRound, TraceStep
from celvet.lint.model import Value
from celvet.record import field, record

Keys: TypeAlias = tuple[str | int, ...]

INDEX = frozenset({"_[_]", "_[?_]"})
"""The operators that read an element."""

UNWRAPPING = frozenset({"orValue", "or", "value"})
"""Methods of an optional that give its content."""

IDENTITIES = ("type", "name")
"""The fields by which elements of a list in the Kubernetes API are told apart."""


@record
class FieldReading:
    """A field that an evaluation read.

    `keys` leads to it from the variables, by indices: `("status", "conditions", 0, "status")`.
    `path` is the same for people, with elements by their type or name:
    `status.conditions[type=Ready].status`. `exists` is False if there is no such field; `value` is
    then None. `note` has the reason and the message that belong to the status of a condition.
    """

    path: str
    keys: Keys
    value: Value
    exists: bool = True
    note: str = ""


@record
class StepScope:
    """The variables of an expression, and the elements that the macros around a step had reached.

    `places` has the path of each bound variable, None for a value that is not a part of the
    variables.
    """

    variables: Mapping[str, Value]
    places: Mapping[str, Keys | None] = field(default_factory=dict)

    def bind(self, step: TraceStep, trace_round: TraceRound) -> StepScope:
        """The scope inside a round of a macro."""
        place = None
        if trace_round.place is None:
            place = self.place(step.parts[0])
        elif isinstance(trace_round.place, int):
            elements = self._elements(step.parts[0])
            place = elements[trace_round.place] if trace_round.place < len(elements) else None
        return StepScope(self.variables, {**self.places, trace_round.variable: place})

    def place(self, step: TraceStep) -> Keys | None:
        """The path of the field that a step reads; None for a step that computes something."""
        node, parts = step.node, step.parts
        match node:
            case Ident():
                name = node.name.removeprefix(".")
                return None if name in TYPES else self.places.get(name, (name,))
            case Select() if parts:
                return self._join(self.place(parts[0]), node.field)
            case Macro(name="has") if parts and isinstance(node.args[0], Select):
                return self._join(self.place(parts[0]), node.args[0].field)
            case Call() if node.function in INDEX and len(parts) == 2:
                return self._element(parts[0], parts[1].outcome.value)
            case Call() if node.function in UNWRAPPING and parts:
                return self.place(parts[0])
        return None

    def reading(self, keys: Keys) -> FieldReading:
        """What stands at a path of the variables."""
        path, value, exists = "", cast("Value", self.variables), True
        owner: Value = None
        for number, key in enumerate(keys):
            path += _written_key(value, key, first=not number)
            exists = exists and _has(value, key)
            owner, value = value, value[key] if exists else None
        return FieldReading(path, keys, value, exists, _note(owner) if keys[-1] == "status" else "")

    def keys_read(self, step: TraceStep) -> Iterator[Keys]:
        """The fields that a step and those below it read, in order of evaluation."""
        place = self.place(step)
        if place is not None:
            yield place
            yield from self._keys_of_index(step)
            return
        for part in step.parts:
            if not step.rounds or part is not step.parts[0] or not self.place(part):
                yield from self.keys_read(part)
        # elements that a filter drops decide nothing, unless it drops all of them
        for trace_round in _kept_rounds(step) or step.rounds:
            inner_scope = self.bind(step, trace_round)
            for part in trace_round.steps:
                yield from inner_scope.keys_read(part)

    def _keys_of_index(self, step: TraceStep) -> Iterator[Keys]:
        """The fields that give the keys of an index: `self.name` in `labels[self.name]`."""
        if isinstance(step.node, Call) and step.node.function in INDEX and len(step.parts) == 2:
            yield from self.keys_read(step.parts[1])
        if step.parts and self.place(step.parts[0]) is not None:
            yield from self._keys_of_index(step.parts[0])

    def _element(self, container: TraceStep, key: Any) -> Keys | None:
        if isinstance(key, str):
            return self._join(self.place(container), key)
        if not _is_index(key):
            return None
        elements = self._elements(container)
        return elements[key] if key < len(elements) else self._join(self.place(container), key)

    def _elements(self, step: TraceStep) -> Sequence[Keys | None]:
        """The path of each element of a list; a filtered list has those of the elements kept."""
        if isinstance(step.node, Macro) and step.node.name == "map":
            # A `map` with a filter evaluates the last part only for the elements that it keeps.
            bodies = ((item, item.steps[-1]) for item in step.rounds if item.steps)
            return [
                self.bind(step, item).place(body)
                for item, body in bodies
                if len(item.steps) == len(step.node.args)
            ]
        if isinstance(step.node, Macro) and step.node.name == "filter" and step.parts:
            elements = self._elements(step.parts[0])
            places = (item.place for item in _kept_rounds(step) if isinstance(item.place, int))
            return [elements[place] if place < len(elements) else None for place in places]
        place = self.place(step)
        value = self.reading(place).value if place else None
        count = len(value) if isinstance(value, list) else 0
        return [(*(place or ()), index) for index in range(count)]

    @staticmethod
    def _join(place: Keys | None, key: str | int) -> Keys | None:
        return None if place is None else (*place, key)


def _kept_rounds(step: TraceStep) -> list[TraceRound]:
    """The rounds of a filter whose elements it keeps."""
    if not isinstance(step.node, Macro) or step.node.name != "filter":
        return []
    return [item for item in step.rounds if item.steps and item.steps[-1].outcome.value is True]


def _has(value: Value, key: str | int) -> bool:
    if isinstance(value, dict):
        return key in value
    return isinstance(value, list) and isinstance(key, int) and key < len(value)


def _is_index(key: Any) -> bool:
    return isinstance(key, int) and not isinstance(key, bool) and key >= 0


def _written_key(container: Value, key: str | int, *, first: bool) -> str:
    if isinstance(key, str):
        plain = key.replace("_", "a").isalnum() and not key[0].isdigit()
        return (key if first else f".{key}") if plain else f"[{key!r}]"
    element = container[key] if isinstance(container, list) and key < len(container) else None
    for identity in IDENTITIES:
        name = element.get(identity) if isinstance(element, dict) else None
        if isinstance(name, str) and [*_values(container, identity)].count(name) == 1:
            return f"[{identity}={name}]"
    return f"[{key}]"


def _note(condition: Value) -> str:
    """The reason and the message of a condition; empty for any other value."""
    if not isinstance(condition, dict) or "type" not in condition:
        return ""
    parts = (condition.get(key) for key in ("reason", "message"))
    return ": ".join(part for part in parts if part and isinstance(part, str))


def _values(elements: list[Value], key: str) -> Iterator[Value]:
    return (element.get(key) for element in elements if isinstance(element, dict))
