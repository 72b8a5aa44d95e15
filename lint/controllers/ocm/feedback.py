"""The value that a path of a ManifestWork reports (`pkg/work/spoke/statusfeedback/reader.go`).

Without the feature gate `RawFeedbackJsonString`, which is alpha and off.
"""

from __future__ import annotations

from celvet.lint.jsonpath import CompiledPath, EvaluationError
from celvet.lint.model import Value
from celvet.record import record

_GO_TYPES = {float: "float64", list: "[]interface {}", dict: "map[string]interface {}"}


@record
class Feedback:
    """A value, None if none is reported, or an error."""

    value: Value = None
    error: str = ""


def feedback(program: CompiledPath, name: str, obj: Value) -> Feedback:
    """What a path reports of an object: the first result, if it is a number, a text or a bool."""
    if program.template is None:
        reason = program.refusal.error if program.refusal else ""
        return Feedback(
            error=f"failed to parse json path {program.text} of {name} with error: {reason}"
        )
    try:
        groups = program.template.find(obj, program.dialect.missing)
    except EvaluationError as error:
        return Feedback(error=f"failed to find value for {name} with error: {error}")
    value = groups[0][0] if groups and groups[0] else None
    if value is None or isinstance(value, bool | int | str):
        return Feedback(value)
    kind = _GO_TYPES[type(value)]
    return Feedback(error=f"the type {kind} of the value for {name} is not found")
