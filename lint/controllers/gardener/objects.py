"""Fields of an object as Gardener's typed objects have them.

An absent or null field is the zero value of its type; another type does not decode. Only the fields
that a check reads matter.
"""

from __future__ import annotations

from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import optional_list, optional_number, optional_text
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


def count(obj: Value, name: str) -> int:
    """An integer of the status, 0 if there is none; raises `FieldTypeError`."""
    return optional_number(obj, "status", name) or 0


def condition(obj: Value, kind: str) -> GardenerCondition | None:
    """The first condition of the type; raises `FieldTypeError` for any that does not decode."""
    conditions = [_condition(item) for item in optional_list(obj, "status", "conditions")]
    return next((item for item in conditions if item.type == kind), None)


def _condition(value: Value) -> GardenerCondition:
    return GardenerCondition(
        type=optional_text(value, "type"),
        status=optional_text(value, "status"),
        reason=optional_text(value, "reason"),
        message=optional_text(value, "message"),
        value=value,
    )
