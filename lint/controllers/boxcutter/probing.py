"""One probe on one object, in the words of boxcutter (v0.14.0, `probing/*.go`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from celvet.lint.checks import CelExpression, PathExpression
from celvet.lint.go.quoting import quote
from celvet.lint.jsonpath import go_text
from celvet.lint.jsonpath.eval.path_values import type_name
from celvet.lint.jsonpath.eval.printing import json_text
from celvet.lint.model import Path, Value
from celvet.lint.values import ABSENT, group_kind_of, kubernetes_number
from celvet.lint.verdicts.unstructured import FieldTypeError, field, integer_field
from celvet.record import record


@record
class ProbeResult:
    """The status of a probe with its messages; `path` is the part of the declaration it is of.

    `error` is set where an evaluation failed.
    """

    status: str
    messages: tuple[str, ...] = ()
    path: Path = ()
    error: str = ""


HOLDS = ProbeResult("True")


def conjunction(results: Iterable[ProbeResult]) -> ProbeResult:
    """All results as one: the worst status, with the messages of that status.

    Mirrors `And.Probe`: one that is unknown hides those that are false.
    """
    by_status: dict[str, list[ProbeResult]] = {}
    for result in results:
        by_status.setdefault(result.status, []).append(result)
    for status in ("Unknown", "False", "True"):
        if worst := by_status.get(status):
            messages = tuple(message for result in worst for message in result.messages)
            return ProbeResult(status, messages, worst[0].path, worst[0].error)
    return HOLDS


def is_outdated(obj: Value) -> bool:
    """Whether the status is of another generation (`ObservedGenerationProbe`)."""
    observed_generation = _whole_number(obj, "status", "observedGeneration")
    return observed_generation not in (None, _generation(obj))


def condition(obj: Value, mapping: Mapping[str, Value], path: Path) -> ProbeResult:
    """Whether a condition has a status (`ConditionProbe`); the first of its type decides."""
    wanted_type, wanted_status = mapping.get("type", ""), mapping.get("status", "")
    conditions = _conditions(obj)
    if not isinstance(conditions, list):
        return ProbeResult("Unknown", (conditions,), path)
    for item in conditions:
        if not isinstance(item, dict):
            return ProbeResult("Unknown", ("malformed .status.conditions",), path)
        if item.get("type", ABSENT) != wanted_type:
            continue
        path_text = f'.status.condition["{wanted_type}"]'
        if _whole_number(item, "observedGeneration") not in (None, _generation(obj)):
            return ProbeResult("Unknown", (f"{path_text} outdated",), path)
        status = item.get("status")
        holds = status == wanted_status and isinstance(status, str)
        return ProbeResult(str(holds), (f"{path_text} is {_as_text(status)}",), path)
    return ProbeResult("Unknown", (f'missing .status.condition["{wanted_type}"]',), path)


def fields_equal(obj: Value, first: PathExpression, second: PathExpression) -> ProbeResult:
    """Whether two fields have the same value (`FieldsEqualProbe`); a missing one has none."""
    names = (first.program.text, second.program.text)
    readings = [expression.program.read(obj) for expression in (first, second)]
    for expression, name, reading in zip((first, second), names, readings, strict=True):
        if reading.state != "value":
            return ProbeResult("False", (f'"{name}" missing',), expression.path)
    left, right = (reading.value for reading in readings)
    if _is_same(left, right):
        return ProbeResult("True", (f'"{names[0]}" == "{names[1]}"',), first.path)
    values = f"expected: {json_text(left)} got: {json_text(right)}"
    return ProbeResult("False", (f'"{names[0]}" != "{names[1]}" {values}',), first.path)


def field_value(obj: Value, expression: PathExpression, wanted: str) -> ProbeResult:
    """Whether a field is a text (`FieldValueProbe`); a number never is."""
    name, reading = quote(expression.program.text), expression.program.read(obj)
    if reading.state == "error":
        message = f"error locating key {name}; {reading.error}"
    elif reading.state == "absent":
        message = f"missing key: {name}"
    elif reading.value == wanted:
        return ProbeResult("True", (f"value at key {name} == {quote(wanted)}",), expression.path)
    else:
        values = f"expected: {json_text(wanted)} got: {json_text(reading.value)}"
        message = f"value at key {name} != {quote(wanted)}; {values}"
    return ProbeResult("False", (message,), expression.path)


def cel_rule(obj: Value, expression: CelExpression, variable: str, message: str) -> ProbeResult:
    """Whether a rule is true (`CELProbe`)."""
    outcome = expression.program.evaluate({variable: obj}).boolean()
    if outcome.error:
        words = f"CEL program failed: {outcome.error}"
        return ProbeResult("Unknown", (words,), expression.path, outcome.error)
    messages = () if outcome.value else (message,)
    return ProbeResult(str(outcome.value), messages, expression.path)


def matches_kind(obj: Value, selector: Mapping[str, Value]) -> bool:
    """Whether an object is of the group and kind of a selector (`GroupKindSelector`)."""
    kind = group_kind_of(obj)
    return (kind.group, kind.kind) == (selector.get("group", ""), selector.get("kind", ""))


def _generation(obj: Value) -> int:
    """The generation of an object, 0 without one (`GetGeneration` of apimachinery)."""
    return _whole_number(obj, "metadata", "generation") or 0


def _whole_number(obj: Value, *path: str) -> int | None:
    try:
        return integer_field(obj, *path)
    except FieldTypeError:
        return None


def _conditions(obj: Value) -> list[Value] | str:
    """The conditions of an object, or why it has none."""
    try:
        conditions = field(obj, "status", "conditions")
    except FieldTypeError:
        conditions = ABSENT
    if conditions is ABSENT:
        return "missing .status.conditions"
    return conditions if isinstance(conditions, list) else "malformed .status.conditions"


def _as_text(value: Value) -> str:
    """A value as Go's `%s` prints it."""
    if isinstance(value, str):
        return value
    return "%!s(<nil>)" if value is None else f"%!s({type_name(value)}={go_text(value)})"


def _is_same(left: Value, right: Value) -> bool:
    """Deep equality of Go, for which 3 and 3.0 are of different types."""
    left, right = kubernetes_number(left), kubernetes_number(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_is_same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_is_same, left, right))
    return bool(left == right)
