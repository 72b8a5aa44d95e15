"""Whether a composed resource is ready, by one check or by its condition `Ready`.

Mirrors `ready.go` and `validate.go` of function-patch-and-transform (55116ae, after v0.10.0).
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.go.quoting import quote
from celvet.lint.jsonpath import CompiledPath, PathResult
from celvet.lint.model import Value
from celvet.lint.values import ABSENT, get, mapping_at, text_at
from celvet.lint.verdicts.unstructured import timestamp
from celvet.record import record

_TYPES = ("NonEmpty", "MatchString", "MatchInteger", "MatchTrue", "MatchFalse")
_CONDITION, _NONE = "MatchCondition", "None"
_MATCH = {"MatchString": "matchString", "MatchInteger": "matchInteger"}
_TEXTS = ("type", "status", "reason", "message")


@record
class ReadinessAnswer:
    """Whether a check holds; `error` is why the function cannot say, in its own words."""

    ready: bool = False
    error: str = ""


def refusal(check: Mapping[str, Value]) -> str:
    """Why `ValidateReadinessCheck` refuses a check, empty if it does not."""
    kind = check.get("type") or ""
    if kind == _NONE:
        return ""
    if kind == _CONDITION:
        return _condition_refusal(check.get("matchCondition"))
    if kind not in _TYPES:
        return f"type: Invalid value: {quote(str(kind))}: unknown readiness check type"
    field = _MATCH.get(kind, "")
    if field and check.get(field) is None:
        return f"{field}: Required value: cannot be nil for type {kind}"
    if check.get("fieldPath") is None:
        return "fieldPath: Required value: cannot be empty"
    return ""


def _condition_refusal(condition: Value) -> str:
    for field in ("type", "status") if condition is not None else ():
        if not get(condition, (field,)):
            words = f"cannot be empty for type {_CONDITION}"
            return f"matchCondition.{field}: Required value: {words}"
    return ""


def undecodable(check: Mapping[str, Value]) -> str:
    """The field whose value has a type that the function cannot decode, empty without one."""
    field_types = {"type": str, "fieldPath": str, "matchString": str, "matchInteger": int}
    field_types["matchCondition"] = dict
    for field, field_type in field_types.items():
        value = check.get(field)
        if value is not None and (not isinstance(value, field_type) or isinstance(value, bool)):
            return field
    return ""


def by_condition(obj: Value) -> ReadinessAnswer:
    """The answer of a resource without checks."""
    return ReadinessAnswer(_condition_status(obj, "Ready") == "True")


def run(check: Mapping[str, Value], path: CompiledPath | None, obj: Value) -> ReadinessAnswer:
    """Whether one check holds; `path` is that of its field, None if it has none."""
    if words := refusal(check):
        return ReadinessAnswer(error=f"invalid: {words}")
    if check["type"] == _NONE:
        return ReadinessAnswer(ready=True)
    if check["type"] == _CONDITION:
        return _by_match(check.get("matchCondition"), obj)
    # An empty path reads null.
    reading = path.read(obj) if path else PathResult("value")
    if reading.state != "value":
        return ReadinessAnswer(error=reading.error if reading.state == "error" else "")
    return _by_value(check, path.text if path else "", reading.value)


def _by_match(condition: Value, obj: Value) -> ReadinessAnswer:
    if condition is None:
        return ReadinessAnswer(error="the function panics: `matchCondition` is missing")
    status = _condition_status(obj, text_at(condition, ("type",)))
    return ReadinessAnswer(status == text_at(condition, ("status",)))


def _by_value(check: Mapping[str, Value], path: str, value: Value) -> ReadinessAnswer:
    kind = check["type"]
    if kind == "NonEmpty":
        return ReadinessAnswer(ready=True)
    if type(value) is not _VALUE_TYPES[kind]:
        words = {"MatchString": "a string", "MatchInteger": "a (int64) number"}.get(kind, "a bool")
        return ReadinessAnswer(error=f"{path}: not {words}")
    return ReadinessAnswer(value == check.get(_MATCH.get(kind, ""), kind == "MatchTrue"))


_VALUE_TYPES = {"MatchString": str, "MatchInteger": int, "MatchTrue": bool, "MatchFalse": bool}


def _condition_status(obj: Value, name: str) -> str:
    """The status of the first condition of a type, `Unknown` without one.

    Mirrors `GetCondition` of function-sdk-go (`resource/composed`): without a status, and where its
    conditions do not decode, it is empty.
    """
    status = mapping_at(obj).get("status", ABSENT)
    conditions = get(status, ("conditions",)) if isinstance(status, dict) else status
    items = conditions if isinstance(conditions, list) else []
    if (conditions is not None and conditions is not items) or not all(map(_fits, items)):
        return ""
    matches = (item for item in map(mapping_at, items) if text_at(item, ("type",)) == name)
    return text_at(next(matches, {"status": "Unknown"}), ("status",))


def _fits(condition: Value) -> bool:
    if condition is None:
        return True
    if not isinstance(condition, dict):
        return False
    texts = [condition.get(key) for key in _TEXTS]
    generation, time = condition.get("observedGeneration"), condition.get("lastTransitionTime")
    is_time = time is None or (isinstance(time, str) and timestamp(time) is not None)
    is_number = generation is None or type(generation) is int
    return is_time and is_number and all(isinstance(text, str | None) for text in texts)
