"""Values for the fields that a state does not set.

Such a value is not named by any expression, counts no part as ready, and is no
sign of trouble. If the CRD lists or types the values, it is one of those.
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


def beside(each: Field, shape: Shape) -> Value | Absent:
    """Such a value for a field.

    `ABSENT` if expressions name all possible values, or only test whether there is one.
    """
    return ABSENT if each.optional else present(each, shape)


def present(each: Field, shape: Shape) -> Value | Absent:
    """The same for a field that has to be there."""
    if each.path[-1] in _BY_NAME:
        return _BY_NAME[each.path[-1]]
    if shape.values(each.path) is not None:
        return next(iter(unnamed(each, shape)), ABSENT)
    if each.values == (None,):
        return None
    if is_number(each, shape):
        return _allowed(_number(each), each.path, shape)
    if is_flag(each, shape):
        return False
    type_name = shape.type(each.path)
    return _EMPTY[type_name] if type_name in _EMPTY else _text(each)


def applied(each: Field, shape: Shape) -> Value | Absent:
    """A value for a field that the user writes: its default, or an ordinary value."""
    default = shape.default(each.path)
    value = beside(each, shape) if default is ABSENT else default
    return 1 if value == 0 and type(value) is int and default is ABSENT else value


def _allowed(wanted: int, path: Steps, shape: Shape) -> int:
    """The number, or one that the CRD allows instead."""
    alternatives = (number for number in shape.numbers(path) if shape.allows(path, number))
    return wanted if shape.allows(path, wanted) else next(alternatives, wanted)


def _number(each: Field) -> int:
    if _is_number_by_use(each):
        rising = is_progress(each.path) or is_trouble(each.path)
        return 1 if is_counter(each.path) and not rising else 0
    # fields that are compared with each other must not be equal by chance
    return GENERATION + 1 + each.number


def _text(each: Field) -> str:
    if is_trouble(each.path) and not each.optional:
        return ""
    text = f"other {shown(each.path)}" if each.peers else "Other"
    while text in each.values:
        text += "s"
    return text


def unnamed(each: Field, shape: Shape) -> tuple[str, ...]:
    """The values of a field that its CRD lists and no expression names."""
    return tuple(text for text in shape.values(each.path) or () if text not in each.values)


def is_number(each: Field, shape: Shape) -> bool:
    """Whether a field holds a number: by its type, else by its name and use."""
    type_name = shape.type(each.path)
    return type_name in ("integer", "number") if type_name else _is_number_by_use(each)


def is_counted(each: Field, shape: Shape) -> bool:
    """Whether a field holds a number of things, which is 0 before there are any."""
    counts_by_name = is_counter(each.path) or is_progress(each.path) or is_trouble(each.path)
    return counts_by_name and is_number(each, shape) and _is_number_by_use(each)


def _is_number_by_use(each: Field) -> bool:
    """Whether the name or the use of a field means something counted or measured."""
    return is_counter(each.path) or each.numeric or (each.ordered and not holds_text(each))


def is_flag(each: Field, shape: Shape) -> bool:
    """Whether a field is true or false."""
    type_name = shape.type(each.path)
    return (
        type_name == "boolean"
        if type_name
        else any(isinstance(value, bool) for value in each.values)
    )


def holds_text(each: Field) -> bool:
    """Whether a field is compared with a text."""
    return any(isinstance(value, str) for value in each.values)
