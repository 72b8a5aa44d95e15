"""The conditions of an object, as kstatus decodes them.

Mirrors `GetObjectWithConditions` of kstatus, which is apimachinery's
`runtime.DefaultUnstructuredConverter` (v0.36): null decodes to nothing, any
other wrong type is an error.
"""

from __future__ import annotations

from collections.abc import Iterable

from celvet.lint.model import Value
from celvet.lint.values import kubernetes_number
from celvet.lint.verdicts.unstructured import FieldTypeError
from celvet.record import record

_GO_KINDS = {
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    list: "slice",
    dict: "map",
}
_FIELDS = {
    "type": "string",
    "status": "v1.ConditionStatus",
    "reason": "string",
    "message": "string",
}
"""Field of a condition -> the Go type that it is decoded to."""


@record
class KstatusCondition:
    """A condition as kstatus reads it; absent fields are empty."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""


def conditions_of(obj: Value) -> tuple[KstatusCondition, ...]:
    """`status.conditions`; raises `FieldTypeError` for a wrong type in it."""
    status = _container(_container(obj, dict, "struct from:").get("status"), dict, "struct from:")
    items = _container(status.get("conditions"), list, "slice from")
    return tuple(_condition(item) for item in items)


def find(conditions: Iterable[KstatusCondition], kind: str, status: str) -> KstatusCondition | None:
    """The first condition of that type and status."""
    return next((item for item in conditions if (item.type, item.status) == (kind, status)), None)


def _condition(value: Value) -> KstatusCondition:
    fields = _container(value, dict, "struct from:")
    return KstatusCondition(
        **{name: _text(fields.get(name), target) for name, target in _FIELDS.items()}
    )


def _container(value: Value, kind: type, words: str) -> Value:
    """The value if it is of the kind, an empty one for null."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise FieldTypeError(f"cannot restore {words} {_GO_KINDS[type(kubernetes_number(value))]}")
    return value


def _text(value: Value, target: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if type(kubernetes_number(value)) is int:
        raise FieldTypeError(f"cannot convert int64 to {target}")
    raise FieldTypeError("unrecognized type: string")
