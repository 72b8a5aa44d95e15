"""Fields of an object as Gardener's typed objects have them.

An absent or null field is the zero value of its type; another type does not decode. Only the fields
that a check reads matter.
"""

from __future__ import annotations

from celvet.lint.model import Value
from celvet.lint.values import ABSENT
from celvet.lint.verdicts.unstructured import field, integer_field, list_field, text_field
from celvet.record import record


@record
class GardenerCondition:
    """A condition as the checks read it; absent fields are empty.

    `value` is the condition itself, for fields that only some kinds have.
    """

    type: str
    status: str
    reason: str
    message: str
    value: Value


def number(obj: Value, *path: str) -> int | None:
    """The integer at a path, None if there is none; raises `FieldTypeError`."""
    return None if _missing(obj, path) else integer_field(obj, *path)


def count(obj: Value, name: str) -> int:
    """An integer of the status, 0 if there is none; raises `FieldTypeError`."""
    return number(obj, "status", name) or 0


def text(obj: Value, *path: str) -> str:
    """The string at a path, empty if there is none; raises `FieldTypeError`."""
    return "" if _missing(obj, path) else text_field(obj, *path) or ""


def items(obj: Value, *path: str) -> list[Value]:
    """The list at a path, empty if there is none; raises `FieldTypeError`."""
    return [] if _missing(obj, path) else list_field(obj, *path) or []


def condition(obj: Value, kind: str) -> GardenerCondition | None:
    """The first condition of the type; raises `FieldTypeError` for any that does not decode."""
    conditions = [_condition(item) for item in items(obj, "status", "conditions")]
    return next((item for item in conditions if item.type == kind), None)


def _condition(value: Value) -> GardenerCondition:
    return GardenerCondition(
        type=text(value, "type"),
        status=text(value, "status"),
        reason=text(value, "reason"),
        message=text(value, "message"),
        value=value,
    )


def _missing(obj: Value, path: tuple[str, ...]) -> bool:
    return field(obj, *path) in (None, ABSENT)
