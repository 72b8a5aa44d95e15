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
from celvet.lint.predict.reads.terms import Steps, definite, short, shown
from celvet.lint.predict.states.building import get, put
from celvet.lint.predict.states.state import Stage, State
from celvet.lint.predict.states.state_builder import StateBuilder, with_new, with_value
from celvet.lint.predict.states.values import beside, holds_text, is_counted, present, unnamed
from celvet.lint.safe_text import enumerated
from celvet.lint.values import ABSENT

MOST = 64
_MOST_UNNAMED = 8
"""How many values to use that the CRD lists for a field and no expression names."""


def stock_states(builder: StateBuilder) -> Iterator[State]:
    """The states of an object's life that differ in what is read."""
    return islice(_all(builder), MOST)


def _all(builder: StateBuilder) -> Iterator[State]:
    yield from _bare(builder)
    yield from _before(builder)
    yield from _without_elements(builder)
    yield from _counting(builder)
    yield from _stages(builder)
    yield from _conditions(builder)
    yield from _fields(builder)


# before the controller's first update


def _bare(builder: StateBuilder) -> Iterator[State]:
    fresh = _defaulted(builder, builder.applied)
    words = "without a status" if fresh == builder.applied else "with the defaults of its CRD"
    yield builder.state("fresh", f"just created, {words}", "bare", fresh)
    status = (*builder.root, "status")
    paths = (*(field.path for field in builder.arriving), *builder.lists)
    if any(path[: len(status)] == status for path in paths):
        empty = put(builder.applied, status, {})
        least = _defaulted(builder, _required(builder, empty))
        words = "with an empty status" if least == empty else "with a minimal status"
        if least != fresh:
            yield builder.state("empty", words, "bare", least)


def _required(builder: StateBuilder, base: Value) -> Value:
    """The object with the fields that are read and that its status must have."""
    parts: list[tuple[Steps, Value]] = [(path, []) for path in builder.lists]
    parts += [(field.path, beside(field, builder.shape)) for field in builder.arriving]
    for path, value in parts:
        if path[len(builder.root)] == "status" and builder.shape.requires(path):
            base = with_value(base, path, value)
    return base


def _defaulted(builder: StateBuilder, base: Value) -> Value:
    """The object with the defaults of the fields that are read, as the API server sets them."""
    paths = [*(field.path for field in builder.arriving), *builder.lists]
    depths = (path[: depth + 1] for path in paths for depth in range(len(builder.root), len(path)))
    for path in dict.fromkeys(depths):
        if get(base, definite(path[:-1])) is not ABSENT:
            base = with_new(base, path, builder.shape.default(path))
    return base


def _before(builder: StateBuilder) -> Iterator[State]:
    """Without the condition that the expressions wait for."""
    if builder.lists and all(map(builder.shape.may_be_empty, builder.lists)):
        none = builder.conditioned([], builder.neutral)
        yield builder.state("no-conditions", "with an empty list of conditions", "none", none)
    if builder.lists and builder.foreign:
        words = f"with a condition `{builder.foreign['type']}`"
        words += f" but no {_listed(builder.types, 'or')}" if builder.types else " alone"
        yield builder.state("foreign", words, "other", builder.neutral)


def _without_elements(builder: StateBuilder) -> Iterator[State]:
    """With nothing in a list, or a map, that expressions go through."""
    for path in builder.collections:
        if builder.shape.may_be_empty(path):
            empty: Value = {} if builder.shape.type(path) == "object" else []
            name, words = f"{shown(path)}=[]", f"with an empty `{shown(path)}`"
            yield builder.state(name, words, "none", with_value(builder.neutral, path, empty))


def _counting(builder: StateBuilder) -> Iterator[State]:
    rising = [field for field in builder.arriving if builder.counts(field)]
    counters = [field for field in rising if is_counted(field, builder.shape)]
    zero = builder.neutral
    for counter in counters:
        if builder.shape.allows(counter.path, 0):
            zero = with_value(zero, counter.path, 0)
    progress = any(is_progress(field.path) for field in rising)
    if progress and (builder.neutral != zero or len(counters) < len(rising)):
        yield builder.state("starting", "with no part ready yet", "counting", builder.neutral)
    if any(get(zero, definite(counter.path)) == 0 for counter in counters):
        names = _listed([shown(counter.path) for counter in counters], "and")
        yield builder.state("zero", f"with {names} at 0", "counting", zero)


def _stages(builder: StateBuilder) -> Iterator[State]:
    """At a stage that no expression names: any, and each one that the CRD lists."""
    stages = [field for field in builder.arriving if is_stage(field.path) and holds_text(field)]
    free = [stage for stage in stages if builder.shape.values(stage.path) is None]
    if free:
        names = _listed([shown(stage.path) for stage in free], "and")
        words = f"with a value of {names} that no expression names"
        yield builder.state("stage", words, "stage", builder.neutral)
    for stage in stages:
        # misleading ones come first, so that none of them is cut off
        values = sorted(unnamed(stage, builder.shape), key=lambda text: _stage(text) != "stage")
        for value in values[:_MOST_UNNAMED]:
            name, words, variables = _valued(builder, stage, value)
            yield builder.state(name, words, _stage(value), variables)


def _stage(value: str) -> Stage:
    if tells_trouble(value):
        return "trouble"
    return "success" if tells_success(value) else "stage"


# the controller's updates


def _conditions(builder: StateBuilder) -> Iterator[State]:
    statuses = ("False", "Unknown", "True", *builder.named("status"))
    allowed_statuses = [
        status for status in dict.fromkeys(statuses) if builder.allows("status", status)
    ]
    if builder.lists and builder.foreign and not builder.types:
        for status in filter("True".__ne__, allowed_statuses):
            yield _condition(builder, builder.foreign["type"], status)
    for kind, status in product(builder.types, allowed_statuses):
        yield _condition(builder, kind, status)
    behind = all(builder.shape.has((*steps, None, "observedGeneration")) for steps in builder.lists)
    for kind, status in product(builder.types if behind else (), ("True", "False")):
        yield _condition(builder, kind, status, behind=True)
    for kind, reason, status in product(builder.types, builder.named("reason"), ("False", "True")):
        yield _condition(builder, kind, status, reason)


def _condition(
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
    variables = builder.conditioned([element], builder.neutral)
    return builder.state(name, words, "stale" if behind else "condition", variables)


def _fields(builder: StateBuilder) -> Iterator[State]:
    for arriving in builder.arriving:
        if arriving.optional:
            variables_with_field = with_value(
                builder.neutral, arriving.path, present(arriving, builder.shape)
            )
            field = shown(arriving.path)
            yield builder.state(f"has {field}", f"with a `{field}`", "field", variables_with_field)
        further_values = ("Other",) if arriving.values == (None,) else ()
        for value in (*arriving.values, *further_values):
            if builder.shape.allows(arriving.path, value):
                name, words, variables = _valued(builder, arriving, value)
                yield builder.state(name, words, "field", variables)


def _valued(builder: StateBuilder, arriving: Field, value: Value) -> tuple[str, str, Value]:
    """The name, the words and the variables of the state in which a field has a value."""
    text = value if isinstance(value, str) and value else json.dumps(value, default=str)
    field, text = shown(arriving.path), short(text)
    variables = with_value(builder.neutral, arriving.path, value)
    return f"{field}={text}", f"whose `{field}` is `{text}`", variables


def _listed(names: Iterable[str], word: str) -> str:
    return enumerated([short(name) for name in names], word)
