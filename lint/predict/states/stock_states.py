"""The stock states, in the order of a life; at most `MOST`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice, product

from celvet.lint.model import Value
from celvet.lint.predict.reads.field_names import (
    is_progress,
    is_stage,
    tells_success,
    tells_trouble,
)
from celvet.lint.predict.reads.reading import Field
from celvet.lint.predict.reads.terms import Steps, at_first_elements, path_text, short
from celvet.lint.predict.states.building import get, put
from celvet.lint.predict.states.neutral_values import (
    holds_text,
    is_counted,
    neutral_value,
    present_value,
    unnamed_values,
)
from celvet.lint.predict.states.state import Stage, State
from celvet.lint.predict.states.state_builder import StateBuilder, with_new, with_value
from celvet.lint.safe_text import enumeration
from celvet.lint.values import ABSENT

MOST = 64
_MOST_UNNAMED = 8
"""How many values to use that the CRD lists for a field and no expression names."""


def stock_states(builder: StateBuilder) -> Iterator[State]:
    """The states of an object's life that differ in what is read."""
    return islice(_all_states(builder), MOST)


def _all_states(builder: StateBuilder) -> Iterator[State]:
    yield from _bare_states(builder)
    yield from _without_condition(builder)
    yield from _without_elements(builder)
    yield from _counting_states(builder)
    yield from _stage_states(builder)
    yield from _condition_states(builder)
    yield from _field_states(builder)


# before the controller's first update


def _bare_states(builder: StateBuilder) -> Iterator[State]:
    new_object = _with_defaults(builder, builder.applied)
    words = "without a status" if new_object == builder.applied else "with the defaults of its CRD"
    yield builder.state("fresh", f"just created, {words}", "bare", new_object)
    status = (*builder.root, "status")
    paths = (*(field.path for field in builder.arriving), *builder.lists)
    if any(path[: len(status)] == status for path in paths):
        empty = put(builder.applied, status, {})
        minimal_object = _with_defaults(builder, _with_required_fields(builder, empty))
        words = "with an empty status" if minimal_object == empty else "with a minimal status"
        if minimal_object != new_object:
            yield builder.state("empty", words, "bare", minimal_object)


def _with_required_fields(builder: StateBuilder, base: Value) -> Value:
    """The object with the fields that are read and that its status must have."""
    parts: list[tuple[Steps, Value]] = [(path, []) for path in builder.lists]
    parts += [(field.path, neutral_value(field, builder.shape)) for field in builder.arriving]
    for path, value in parts:
        if path[len(builder.root)] == "status" and builder.shape.requires(path):
            base = with_value(base, path, value)
    return base


def _with_defaults(builder: StateBuilder, base: Value) -> Value:
    """The object with the defaults of the fields that are read, as the API server sets them."""
    paths = [*(field.path for field in builder.arriving), *builder.lists]
    depths = (path[: depth + 1] for path in paths for depth in range(len(builder.root), len(path)))
    for path in dict.fromkeys(depths):
        if get(base, at_first_elements(path[:-1])) is not ABSENT:
            base = with_new(base, path, builder.shape.default(path))
    return base


def _without_condition(builder: StateBuilder) -> Iterator[State]:
    """The states without the condition that the expressions wait for."""
    if builder.lists and all(map(builder.shape.may_be_empty, builder.lists)):
        variables = builder.with_conditions([], builder.neutral)
        yield builder.state("no-conditions", "with an empty list of conditions", "none", variables)
    # A condition that the catalogue knows means success to an expression that takes any type.
    if builder.lists and builder.foreign_condition and (builder.types or not builder.early_types):
        words = f"with a condition `{builder.foreign_condition['type']}`"
        words += f" but no {_enumeration(builder.types, 'or')}" if builder.types else " alone"
        yield builder.state("foreign", words, "other", builder.neutral)


def _without_elements(builder: StateBuilder) -> Iterator[State]:
    """The states with an empty list, or map, that expressions loop over."""
    for path in builder.collections:
        if builder.shape.may_be_empty(path):
            empty: Value = {} if builder.shape.type(path) == "object" else []
            name, words = f"{path_text(path)}=[]", f"with an empty `{path_text(path)}`"
            yield builder.state(name, words, "none", with_value(builder.neutral, path, empty))


def _counting_states(builder: StateBuilder) -> Iterator[State]:
    """The states with no part ready yet, and with all counters at 0."""
    rising = [field for field in builder.arriving if builder.counts(field)]
    counters = [field for field in rising if is_counted(field, builder.shape)]
    zero = builder.neutral
    for counter in counters:
        if builder.shape.allows(counter.path, 0):
            zero = with_value(zero, counter.path, 0)
    progress = any(is_progress(field.path) for field in rising)
    if progress and (builder.neutral != zero or len(counters) < len(rising)):
        yield builder.state("starting", "with no part ready yet", "counting", builder.neutral)
    if any(get(zero, at_first_elements(counter.path)) == 0 for counter in counters):
        names = _enumeration([path_text(counter.path) for counter in counters], "and")
        yield builder.state("zero", f"with {names} at 0", "counting", zero)


def _stage_states(builder: StateBuilder) -> Iterator[State]:
    """The states at a stage that no expression names: any, and each one that the CRD lists."""
    fields = [field for field in builder.arriving if is_stage(field.path) and holds_text(field)]
    open_fields = [field for field in fields if builder.shape.values(field.path) is None]
    if open_fields:
        names = _enumeration([path_text(field.path) for field in open_fields], "and")
        words = f"with a value of {names} that no expression names"
        yield builder.state("stage", words, "stage", builder.neutral)
    for field in fields:
        # misleading ones come first, so that none of them is cut off
        values = sorted(
            unnamed_values(field, builder.shape), key=lambda text: _stage(text) != "stage"
        )
        for value in values[:_MOST_UNNAMED]:
            yield _field_state(builder, field, value, _stage(value))


def _stage(value: str) -> Stage:
    if tells_trouble(value):
        return "trouble"
    return "success" if tells_success(value) else "stage"


# the controller's updates


def _condition_states(builder: StateBuilder) -> Iterator[State]:
    """The states with one condition of a named type, in each status, of an old generation too."""
    statuses = ("False", "Unknown", "True", *builder.compared_texts("status"))
    allowed_statuses = [
        status for status in dict.fromkeys(statuses) if builder.allows("status", status)
    ]
    # An expression that names no type reads whatever condition comes, so one that it does not
    # expect.
    if builder.lists and builder.foreign_condition and not builder.types:
        for status in filter("True".__ne__, allowed_statuses):
            yield _condition_state(builder, builder.foreign_condition["type"], status)
    for kind, status in product(builder.types, allowed_statuses):
        yield _condition_state(builder, kind, status)
    # Conditions of an old generation exist only where the conditions have one.
    behind = all(builder.shape.has((*steps, None, "observedGeneration")) for steps in builder.lists)
    for kind, status in product(builder.types if behind else (), ("True", "False")):
        yield _condition_state(builder, kind, status, behind=True)
    for kind, reason, status in product(
        builder.types, builder.compared_texts("reason"), ("False", "True")
    ):
        yield _condition_state(builder, kind, status, reason)


def _condition_state(
    builder: StateBuilder, kind: str, status: str, reason: str = "", *, behind: bool = False
) -> State:
    element = builder.condition(kind, status, reason, behind=behind)
    name = f"{short(kind)}={short(status)}"
    words = f"whose condition `{short(kind)}` is `{short(status)}`"
    if reason:
        name += f", {short(reason)}"
        words += f" with the reason `{short(reason)}`"
    name += ", behind" if behind else ""
    words += ", from the previous generation" if behind else ""
    variables = builder.with_conditions([element], builder.neutral)
    return builder.state(name, words, "stale" if behind else "condition", variables)


def _field_states(builder: StateBuilder) -> Iterator[State]:
    """A state for each value that a field is compared with, and one in which the field exists."""
    for field in builder.arriving:
        if field.optional:
            name = path_text(field.path)
            value = present_value(field, builder.shape)
            variables = with_value(builder.neutral, field.path, value)
            yield builder.state(f"has {name}", f"with a `{name}`", "field", variables)
        # A field that is only compared with null needs a state in which it is not null.
        further_values = ("Other",) if field.values == (None,) else ()
        for value in (*field.values, *further_values):
            if builder.shape.allows(field.path, value):
                yield _field_state(builder, field, value, "field")


def _field_state(builder: StateBuilder, field: Field, value: Value, stage: Stage) -> State:
    """The state in which a field has a value."""
    text = value if isinstance(value, str) and value else json.dumps(value, default=str)
    name, text = path_text(field.path), short(text)
    variables = with_value(builder.neutral, field.path, value)
    return builder.state(f"{name}={text}", f"whose `{name}` is `{text}`", stage, variables)


def _enumeration(names: Iterable[str], word: str) -> str:
    return enumeration([short(name) for name in names], word)
