"""The conditions of a stamped object, as Cartographer decodes them.

Mirrors `ExtractConditions` of `pkg/utils/unstructured.go` (v0.7.0), which passes them through Go's
own JSON package: it ignores the case of keys, and if anything does not decode, there are no
conditions at all.
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.model import Value
from celvet.lint.values import kubernetes_number, list_at
from celvet.lint.verdicts.unstructured import timestamp
from celvet.record import record


@record
class StampedCondition:
    """A condition as a health rule reads it; absent fields are empty."""

    type: str
    status: str
    message: str


def condition(obj: Value, kind: str) -> StampedCondition | None:
    """The first condition of the type in the object's status."""
    decoded_items = [*map(_fields, list_at(obj, ("status", "conditions")))]
    if None in decoded_items:
        return None
    for fields in decoded_items:
        if fields is not None and fields.get("type", "") == kind:
            return StampedCondition(kind, fields.get("status", ""), fields.get("message", ""))
    return None


def _fields(value: Value) -> dict[str, Value] | None:
    """The known fields of a condition by lower-case name, None if one does not decode."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        return None
    items = ((key.lower(), value[key]) for key in sorted(value))
    fields = [(name, item) for name, item in items if name in _DECODES and item is not None]
    return dict(fields) if all(_DECODES[name](item) for name, item in fields) else None


def _is_text(value: Value) -> bool:
    return isinstance(value, str)


def _is_integer(value: Value) -> bool:
    """A whole float within 64 bits is one too, for JSON writes it without a point."""
    value = kubernetes_number(value)
    if isinstance(value, float):
        return value.is_integer() and abs(value) < 2**63
    return isinstance(value, int) and not isinstance(value, bool)


_DECODES: dict[str, Callable[[Value], bool]] = {
    "type": _is_text,
    "status": _is_text,
    "reason": _is_text,
    "message": _is_text,
    "observedgeneration": _is_integer,
    "lasttransitiontime": lambda value: isinstance(value, str) and timestamp(value) is not None,
}
"""Field of a `metav1.Condition` in lower case -> whether a value decodes to it."""
