"""Neutral values, for the fields that a state does not set.

A neutral value is not named by any expression, counts no part as ready, and is no sign of trouble.
If the CRD lists or types the values, it is one of those.
"""

from __future__ import annotations

from celvet.lint.model import Value
from celvet.lint.predict.reads.field_names import is_counter, is_progress, is_trouble
from celvet.lint.predict.reads.reading import Field
from celvet.lint.predict.reads.terms import Steps, shown
from celvet.lint.predict.states.crd_shape import Shape
from celvet.lint.values import ABSENT, Absent

GENERATION = 2
"""Of every object, so that there is one before it."""

_BY_NAME: dict[object, Value] = {
    "generation": GENERATION,
    "observedGeneration": GENERATION,
    "annotations": {},
    "labels": {},
}
_EMPTY: dict[str, Value] = {"array": [], "object": {}}


def neutral_value(field: Field, shape: Shape) -> Value | Absent:
    """The neutral value of a field.

    It is `ABSENT` if expressions name all possible values, or only test whether there is one.
    """
    return ABSENT if field.optional else present_value(field, shape)


def present_value(field: Field, shape: Shape) -> Value | Absent:
    """The neutral value of a field that has to be there."""
    if field.path[-1] in _BY_NAME:
        return _BY_NAME[field.path[-1]]
    if shape.values(field.path) is not None:
        return next(iter(unnamed_values(field, shape)), ABSENT)
    if field.values == (None,):
        return None
    if is_number(field, shape):
        return _allowed_number(_neutral_number(field), field.path, shape)
    if is_flag(field, shape):
        return False
    type_name = shape.type(field.path)
    return _EMPTY[type_name] if type_name in _EMPTY else _neutral_text(field)


def applied_value(field: Field, shape: Shape) -> Value | Absent:
    """A value for a field that the user writes: its default, or an ordinary value."""
    default = shape.default(field.path)
    value = neutral_value(field, shape) if default is ABSENT else default
    return 1 if value == 0 and type(value) is int and default is ABSENT else value


def _allowed_number(number: int, path: Steps, shape: Shape) -> int:
    """The number, or one that the CRD allows instead."""
    alternatives = (value for value in shape.numbers(path) if shape.allows(path, value))
    return number if shape.allows(path, number) else next(alternatives, number)


def _neutral_number(field: Field) -> int:
    if _is_number_by_use(field):
        rising = is_progress(field.path) or is_trouble(field.path)
        return 1 if is_counter(field.path) and not rising else 0
    # fields that are compared with each other must not be equal by chance
    return GENERATION + 1 + field.number


def _neutral_text(field: Field) -> str:
    if is_trouble(field.path) and not field.optional:
        return ""
    text = f"other {shown(field.path)}" if field.peers else "Other"
    while text in field.values:
        text += "s"
    return text


def unnamed_values(field: Field, shape: Shape) -> tuple[str, ...]:
    """The values of a field that its CRD lists and no expression names."""
    return tuple(text for text in shape.values(field.path) or () if text not in field.values)


def is_number(field: Field, shape: Shape) -> bool:
    """Whether a field holds a number: by its type, else by its name and use."""
    type_name = shape.type(field.path)
    return type_name in ("integer", "number") if type_name else _is_number_by_use(field)


def is_counted(field: Field, shape: Shape) -> bool:
    """Whether a field holds a number of things, which is 0 before there are any."""
    counts_by_name = is_counter(field.path) or is_progress(field.path) or is_trouble(field.path)
    return counts_by_name and is_number(field, shape) and _is_number_by_use(field)


def _is_number_by_use(field: Field) -> bool:
    """Whether the name or the use of a field means something counted or measured."""
    return is_counter(field.path) or field.numeric or (field.ordered and not holds_text(field))


def is_flag(field: Field, shape: Shape) -> bool:
    """Whether a field is true or false."""
    type_name = shape.type(field.path)
    return (
        type_name == "boolean"
        if type_name
        else any(isinstance(value, bool) for value in field.values)
    )


def holds_text(field: Field) -> bool:
    """Whether a field is compared with a text."""
    return any(isinstance(value, str) for value in field.values)
