"""What an object may hold, by the conventions of the API as far as its CRD does not object."""

from __future__ import annotations

import math

from celvet.lint.model import Value
from celvet.lint.predict.reads.field_names import allowed
from celvet.lint.predict.reads.terms import Steps
from celvet.lint.predict.states.crd_shape import Shape


def holds(path: Steps, shape: Shape) -> bool:
    """Whether the CRD lets a field have nothing that the conventions forbid."""
    return all(allowed(path, value) for value in shape.samples(path))


def is_json(value: Value) -> bool:
    """Whether an object may hold such a value anywhere."""
    finite = not isinstance(value, float) or math.isfinite(value)
    return finite and not isinstance(value, bytes)


def may_be(path: Steps, value: Value, shape: Shape) -> bool:
    """Whether a field may have a value: as the CRD says where it breaks with the conventions."""
    known = allowed(path, value) if holds(path, shape) else shape.allows(path, value)
    return is_json(value) and known


def possible(value: Value, shape: Shape, place: Steps = ()) -> bool:
    """Whether an object may have all that is in a value, `place` being where it stands."""
    if isinstance(value, dict):
        return all(possible(each, shape, (*place, key)) for key, each in value.items())
    if isinstance(value, list):
        return all(possible(each, shape, (*place, None)) for each in value)
    return may_be(place, value, shape)
