"""The stock states, in the order of a life; at most `MOST`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice

from celvet.lint.model import Value
from celvet.lint.predict.reads.field_names import (
    is_progress,
    is_stage,
    tells_success,
    tells_trouble,
)
from celvet.lint.predict.reads.reading import Field
from celvet.lint.predict.reads.terms import Steps, definite, short, shown
from celvet.lint.predict.states.building import ABSENT, get, put
from celvet.lint.predict.states.state import Stage, State
from celvet.lint.predict.states.state_builder import Stock, with_new, with_value
from celvet.lint.predict.states.values import beside, holds_text, is_counted, present, unnamed

MOST = 64
_MOST_UNNAMED = 8
"""So many of the values that the CRD lists for a field and no expression names."""


def stock_states(stock: Stock) -> Iterator[State]:
    """The states that an object goes through, as far as they differ in what is read."""
    return islice(_all(stock), MOST)


def _all(stock: Stock) -> Iterator[State]:
    yield from _bare(stock)
    yield from _before(stock)
    yield from _without_elements(stock)
    yield from _counting(stock)
    yield from _stages(stock)
    yield from _conditions(stock)
    yield from _fields(stock)


# before the first word of the controller


def _bare(stock: Stock) -> Iterator[State]:
    fresh = _defaulted(stock, stock.applied)
    words = "without a status" if fresh == stock.applied else "with what its CRD sets by default"
    yield stock.state("fresh", f"just created, {words}", "bare", fresh)
    status = (*stock.root, "status")
    read = (*(each.path for each in stock.arriving), *stock.lists)
    if any(path[: len(status)] == status for path in read):
        empty = put(stock.applied, status, {})
        least = _defaulted(stock, _required(stock, empty))
        words = "with an empty status" if least == empty else "with the least that a status holds"
        if least != fresh:
            yield stock.state("empty", words, "bare", least)


def _required(stock: Stock, base: Value) -> Value:
    """The object with the fields that are read and that its status must have."""
    parts: list[tuple[Steps, Value]] = [(path, []) for path in stock.lists]
    parts += [(each.path, beside(each, stock.shape)) for each in stock.arriving]
    for path, value in parts:
        if path[len(stock.root)] == "status" and stock.shape.requires(path):
            base = with_value(base, path, value)
    return base


def _defaulted(stock: Stock, base: Value) -> Value:
    """The object with the values by default of what is read, as the API server puts them."""
    paths = [*(each.path for each in stock.arriving), *stock.lists]
    depths = (path[: depth + 1] for path in paths for depth in range(len(stock.root), len(path)))
    for path in dict.fromkeys(depths):
        if get(base, definite(path[:-1])) is not ABSENT:
            base = with_new(base, path, stock.shape.default(path))
    return base


def _before(stock: Stock) -> Iterator[State]:
    """Without the condition that is waited for."""
    if stock.lists and all(map(stock.shape.may_be_empty, stock.lists)):
        none = stock.conditioned([], stock.neutral)
        yield stock.state("no-conditions", "with an empty list of conditions", "none", none)
    if stock.lists and stock.foreign:
        words = f"with a condition `{stock.foreign['type']}`"
        words += f" and none of type {_listed(stock.types, 'or')}" if stock.types else " alone"
        yield stock.state("foreign", words, "other", stock.neutral)


def _without_elements(stock: Stock) -> Iterator[State]:
    """With nothing in a list, or a map, that expressions go through."""
    for path in stock.collections:
        if stock.shape.may_be_empty(path):
            empty: Value = {} if stock.shape.type(path) == "object" else []
            name, words = f"{shown(path)}=[]", f"with nothing in `{shown(path)}`"
            yield stock.state(name, words, "none", with_value(stock.neutral, path, empty))


def _counting(stock: Stock) -> Iterator[State]:
    rising = [each for each in stock.arriving if stock.counts(each)]
    counters = [each for each in rising if is_counted(each, stock.shape)]
    zero = stock.neutral
    for each in counters:
        if stock.shape.allows(each.path, 0):
            zero = with_value(zero, each.path, 0)
    progress = any(is_progress(each.path) for each in rising)
    if progress and (stock.neutral != zero or len(counters) < len(rising)):
        yield stock.state("starting", "of which no part is ready yet", "counting", stock.neutral)
    if any(get(zero, definite(each.path)) == 0 for each in counters):
        names = _listed([shown(each.path) for each in counters], "and")
        yield stock.state("zero", f"with {names} at 0", "counting", zero)


def _stages(stock: Stock) -> Iterator[State]:
    """At a stage that no expression names: any, and each one that the CRD lists."""
    named = [each for each in stock.arriving if is_stage(each.path) and holds_text(each)]
    free = [each for each in named if stock.shape.values(each.path) is None]
    if free:
        names = _listed([shown(each.path) for each in free], "and")
        words = f"with a value of {names} that no expression names"
        yield stock.state("stage", words, "stage", stock.neutral)
    for each in named:
        # Those that mislead come first, so that none of them is cut off.
        values = sorted(unnamed(each, stock.shape), key=lambda text: _stage(text) != "stage")
        for value in values[:_MOST_UNNAMED]:
            name, words, variables = _valued(stock, each, value)
            yield stock.state(name, words, _stage(value), variables)


def _stage(value: str) -> Stage:
    if tells_trouble(value):
        return "trouble"
    return "success" if tells_success(value) else "stage"


# what the controller says


def _conditions(stock: Stock) -> Iterator[State]:
    statuses = ("False", "Unknown", "True", *stock.named("status"))
    allowed = [each for each in dict.fromkeys(statuses) if stock.allows("status", each)]
    if stock.lists and stock.foreign and not stock.types:
        for status in (each for each in allowed if each != "True"):
            yield _condition(stock, stock.foreign["type"], status)
    for kind in stock.types:
        for status in allowed:
            yield _condition(stock, kind, status)
    behind = all(stock.shape.has((*each, None, "observedGeneration")) for each in stock.lists)
    for kind in stock.types if behind else ():
        yield _condition(stock, kind, "True", behind=True)
        yield _condition(stock, kind, "False", behind=True)
    for kind in stock.types:
        for reason in stock.named("reason"):
            for status in ("False", "True"):
                yield _condition(stock, kind, status, reason)


def _condition(
    stock: Stock, kind: str, status: str, reason: str = "", *, behind: bool = False
) -> State:
    element = stock.condition(kind, status, reason, behind=behind)
    name = f"{short(kind)}={short(status)}"
    words = f"whose condition `{short(kind)}` is `{short(status)}`"
    if reason:
        name += f", {short(reason)}"
        words += f" with the reason `{short(reason)}`"
    name += ", behind" if behind else ""
    words += ", of the generation before" if behind else ""
    variables = stock.conditioned([element], stock.neutral)
    return stock.state(name, words, "stale" if behind else "condition", variables)


def _fields(stock: Stock) -> Iterator[State]:
    for each in stock.arriving:
        if each.optional:
            there = with_value(stock.neutral, each.path, present(each, stock.shape))
            field = shown(each.path)
            yield stock.state(f"has {field}", f"with a `{field}`", "field", there)
        others = ("Other",) if each.values == (None,) else ()
        for value in (*each.values, *others):
            if stock.shape.allows(each.path, value):
                name, words, variables = _valued(stock, each, value)
                yield stock.state(name, words, "field", variables)


def _valued(stock: Stock, each: Field, value: Value) -> tuple[str, str, Value]:
    """The name, the words and the variables of the state in which a field has a value."""
    text = value if isinstance(value, str) and value else json.dumps(value, default=str)
    field, text = shown(each.path), short(text)
    variables = with_value(stock.neutral, each.path, value)
    return f"{field}={text}", f"whose `{field}` is `{text}`", variables


def _listed(names: Sequence[str], word: str) -> str:
    quoted = [f"`{short(name)}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"
