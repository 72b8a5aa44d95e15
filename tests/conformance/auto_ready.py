"""Answers the vectors of function-auto-ready: what it makes of an expression and of a resource."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from celvet.lint.cel import compile_expression
from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.crossplane.builtin import is_ready
from celvet.lint.go.durations import duration
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)
_WORDS = {"Ready": "READY_TRUE", "NotReady": "READY_FALSE", "Unspecified": "READY_UNSPECIFIED"}
_INLINE, _FROM = "celHealthCheckCustomization", "celHealthCheckCustomizationFrom"


def _auto_ready(vector: Vector, subject: Any) -> Answer:
    extra: dict[str, Any] = {}
    message = ""
    if "expr" in vector:
        outcome = compile_expression(
            vector["expr"], load().dialects["crossplane-auto-ready"]
        ).evaluate({"object": subject})
        message = "" if outcome.analysed else NOT_ANALYSED
        extra["cel"] = "Unspecified" if outcome.error else str(outcome.value)
    try:
        extra["ready"] = _ready(vector, subject)
    except TypeError as error:
        return Answer(ok=True, message=str(error), extra={**extra, "panics": True})
    return Answer(ok=True, message=message, extra=extra)


def _ready(vector: Vector, subject: Any) -> str:
    """The readiness of the resource; raises `TypeError` where the function panics."""
    source = vector.get("input") or {}
    desired = vector.get("desired", "")
    given = {"ready": "READY_TRUE", "unready": "READY_FALSE", "unobserved": "READY_UNSPECIFIED"}
    if desired in given:
        return given[desired]
    inline = source.get(_INLINE)
    texts = inline.values() if isinstance(inline, dict) else [None] if inline is not None else []
    if not all(isinstance(text, str) for text in texts) or (
        source.get("ttl") and duration(source["ttl"]) is None
    ):
        return "READY_UNSPECIFIED"
    expressions = _expressions(vector, source) if vector.get("gate", True) else {}
    resources = [{"input": {_INLINE: expressions}}]
    head = {"apiVersion": "apiextensions.crossplane.io/v1", "kind": "Composition"}
    checked = check_value({**head, "spec": {"pipeline": resources}}, load())
    for evaluator in evaluators(checked):
        # An empty kind is one that no object has: the key is wrong.
        key = str(evaluator.path[-1])
        group, _, version = subject["apiVersion"].rpartition("/")
        if key == f"{group}_{version}_{subject['kind']}":
            verdict = evaluator.evaluate(ClusterState(objects=[subject], now=_NOW))
            return _WORDS[verdict.status]
    return "READY_TRUE" if is_ready(subject) else "READY_UNSPECIFIED"


def _expressions(vector: Vector, source: Any) -> dict[str, str]:
    """The expressions of the context, and those of the input over them."""
    inline = source.get(_INLINE)
    if source.get(_FROM) is None:
        return inline or {}
    value: Any = vector.get("context") or {}
    steps = [a or b for a, b in re.findall(r"\[([^\[\]]+)\]|([^.\[\]]+)", source[_FROM])]
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    if not steps or not isinstance(value, dict):
        if inline is not None:
            raise TypeError("assignment to entry in nil map")
        return {}
    texts = {key: text for key, text in value.items() if isinstance(text, str)}
    return {**texts, **(inline or {})}


MODES: dict[str, Mode] = {"auto-ready": _auto_ready}
