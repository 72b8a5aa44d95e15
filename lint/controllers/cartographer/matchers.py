"""The matchers of a `multiMatch` health rule, each applied to one stamped object.

Mirrors `pkg/selector/matcher.go` and `pkg/realizer/healthcheck` (v0.7.0).
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.controllers.cartographer.conditions import condition
from celvet.lint.jsonpath import CompiledPath, PathResult, go_text
from celvet.lint.model import Path, Value
from celvet.record import record


@record
class ConditionMatcher:
    """A condition must have a status; `path` is the matcher's place in the rule."""

    path: Path
    type: str
    status: str

    reason = "MatchedCondition"

    def match(self, obj: Value) -> str | None:
        """The message if it matches, else None."""
        stamped_condition = condition(obj, self.type)
        if stamped_condition is None or stamped_condition.status != self.status:
            return None
        return f"condition status: {stamped_condition.status}, message: {stamped_condition.message}"

    def error(self, _: Value) -> str:
        """Always empty, since a condition that does not decode counts as missing."""
        return ""


@record
class FieldMatcher:
    """The value at a path must satisfy an operator; `path` is the matcher's place in the rule."""

    path: Path
    key: CompiledPath
    operator: str
    values: tuple[str, ...]
    message_path: CompiledPath

    reason = "MatchedField"

    def match(self, obj: Value) -> str | None:
        """The message if it matches, None if it does not or if that is unknown."""
        reading = self.key.read(obj)
        holds = _OPERATORS.get(self.operator)
        if holds is None or not holds(reading, self.values):
            return None
        value = _text(reading, "<error retrieving field value>")
        unread = f"unknown, error retrieving message path [{self.message_path.text}]"
        message = _text(self.message_path.read(obj), unread)
        return f"field value: {value}, message: {message}"

    def error(self, obj: Value) -> str:
        """Why the value cannot be read, in Cartographer's words; empty if it can."""
        reading = self.key.read(obj)
        return reading.error if reading.state == "error" else ""


Matcher = ConditionMatcher | FieldMatcher


def _text(reading: PathResult, otherwise: str) -> str:
    return go_text(reading.value) if reading.state == "value" else otherwise


def _in(reading: PathResult, values: tuple[str, ...]) -> bool:
    return reading.state == "value" and reading.value in values


def _not_in(reading: PathResult, values: tuple[str, ...]) -> bool:
    """A missing value is in no list, but still does not match."""
    return reading.state == "value" and reading.value not in values


def _exists(reading: PathResult, _: tuple[str, ...]) -> bool:
    return reading.state == "value" and reading.value is not None


def _does_not_exist(reading: PathResult, _: tuple[str, ...]) -> bool:
    """A null counts as missing; a path with an error decides nothing."""
    return reading.state != "error" and reading.value is None


_OPERATORS: dict[str, Callable[[PathResult, tuple[str, ...]], bool]] = {
    "In": _in,
    "NotIn": _not_in,
    "Exists": _exists,
    "DoesNotExist": _does_not_exist,
}
"""The operators; any other is an error for Cartographer."""
