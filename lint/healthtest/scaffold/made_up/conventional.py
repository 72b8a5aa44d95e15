"""Objects that keep to the conventions of conditions, for what is judged without expressions."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.controllers.judge import Judge
from celvet.lint.healthtest.scaffold.made_up.situation import (
    FRESH,
    MadeUp,
    example,
    with_conditions,
)
from celvet.lint.model import GroupKind, Value


def conventional(judge: Judge, _: Value) -> Iterator[MadeUp]:
    """An object along its life, by its condition `Ready`."""
    kind = judge.group_kind or GroupKind("example.com", "Example")
    fresh = example(f"{kind.group}/v1" if kind.group else "v1", kind.kind)
    yield MadeUp(f"an object {FRESH}", (fresh,))
    for condition in ("Ready", "Stalled", "Reconciling"):
        for status in ("True", "False"):
            name = f"an object whose condition `{condition}` is `{status}`"
            yield MadeUp(name, (with_conditions(fresh, {condition: status}),))
