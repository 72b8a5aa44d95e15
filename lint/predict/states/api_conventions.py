"""Whether an object may hold a value, by the API conventions or by its CRD."""

from __future__ import annotations

import math

from celvet.lint.model import Value
from celvet.lint.predict.reads.field_names import follows_conventions
from celvet.lint.predict.reads.terms import Steps
from celvet.lint.predict.states.crd_shape import Shape


def holds(path: Steps, shape: Shape) -> bool:
    """Whether the CRD allows a field only what the conventions allow."""
    return all(follows_conventions(path, value) for value in shape.samples(path))


def is_json(value: Value) -> bool:
    """Whether an object may hold such a value anywhere."""
    finite = not isinstance(value, float) or math.isfinite(value)
    return finite and not isinstance(value, bytes)


def may_be(path: Steps, value: Value, shape: Shape) -> bool:
    """Whether a field may have a value; the CRD decides if it breaks the conventions."""
    is_allowed = (
        follows_conventions(path, value) if holds(path, shape) else shape.allows(path, value)
    )
    return is_json(value) and is_allowed


def possible(value: Value, shape: Shape, place: Steps = ()) -> bool:
    """Whether an object may have all that is in a value, which is at `place`."""
    if isinstance(value, dict):
        return all(
            possible(field_value, shape, (*place, key)) for key, field_value in value.items()
        )
    if isinstance(value, list):
        return all(possible(item, shape, (*place, None)) for item in value)
    return may_be(place, value, shape)
