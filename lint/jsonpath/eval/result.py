"""The result of a path in a controller: one value, none, or an error."""

from __future__ import annotations

import json
from typing import Literal

from celvet.lint.jsonpath.errors import EvaluationError
from celvet.lint.jsonpath.eval.printing import go_text, json_text, kubectl_text
from celvet.lint.jsonpath.eval.template import PathTemplate
from celvet.lint.model import Value
from celvet.record import record
from celvet.schemas.dialect import Dialect

_SHOWN = 200


@record
class PathResult:
    """The result of one path on one object.

    `error` is in the controller's own words, and set for `absent` as well
    where the controller has words for it. Where a dialect allows several
    results, `value` is the list of them.
    """

    state: Literal["value", "absent", "error"]
    value: Value = None
    error: str = ""

    @property
    def text(self) -> str:
        """The value as kubectl prints it; empty if there is none. Raises as `kubectl_text`."""
        return kubectl_text(self.value) if self.state == "value" else ""


def read(template: PathTemplate, path: str, dialect: Dialect, value: Value) -> PathResult:
    """The result of a template; `path` is the user's text.

    Cartographer's rules are those of `pkg/eval/jsonpath.go` and
    `pkg/utils/json_path.go` (v0.7.0).
    """
    words = dialect.errors
    try:
        groups = template.find(value, dialect.missing)
    except EvaluationError as error:
        return PathResult("error", error=f"{words and words + 'failed to find results: '}{error}")
    if not dialect.single:
        return PathResult("value", [result for group in groups for result in group])
    if len(groups) > 1:
        text = go_text(groups, _SHOWN)
        return PathResult("error", error=f"{words}more queries than expected: {text}")
    if dialect.printed and not groups:
        return PathResult("error", error=f"{words}panics, since the loop gave nothing")
    reading = _single(groups[0] if groups else [], path)
    return _through_json(reading, words) if dialect.printed else reading


def _single(results: list[Value], path: str) -> PathResult:
    if len(results) > 1:
        return PathResult("error", error=f"too many results for the query: {path}")
    if not results:
        return PathResult("absent", error=f"jsonpath returned empty list: {path}")
    return PathResult("value", results[0])


def _through_json(reading: PathResult, words: str) -> PathResult:
    """The value written as JSON and read again: numbers come back as floats."""
    if reading.state != "value":
        return reading
    try:
        value = json.loads(json_text(reading.value), parse_int=float)
    except (EvaluationError, RecursionError) as error:
        return PathResult("error", error=f"{words}failed to print results: {error}")
    return PathResult("value", value)
