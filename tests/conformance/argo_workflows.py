"""Answers the vectors of Argo Workflows: what the conditions of a step make of a resource."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


def _step(vector: Vector, subject: Any) -> Answer:
    conditions = {f"{key}Condition": vector[key] for key in ("success", "failure")}
    template = {"name": "a", "resource": {"action": "get", **conditions}}
    head = {"apiVersion": "argoproj.io/v1alpha1", "kind": "WorkflowTemplate"}
    checked = check_value({**head, "spec": {"templates": [template]}}, load())
    if any(path.program.refusal for path in checked.paths):
        return Answer(ok=False)
    (evaluator,) = evaluators(checked)
    verdict = evaluator.evaluate(ClusterState(objects=[subject], now=_NOW))
    return Answer(ok=True, extra={"verdict": verdict.status})


MODES: dict[str, Mode] = {"argo-condition": _step}
