"""Answers the vectors of function-patch-and-transform: its validation, and readiness."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.crossplane import readiness
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


def _readiness(vector: Vector, subject: Any) -> Answer:
    checks = vector.get("checks", [])
    if any(map(readiness.undecodable, checks)):
        return Answer(ok=False)
    resources = {"resources": [{"name": "db", "readinessChecks": checks}]}
    head = {"apiVersion": "apiextensions.crossplane.io/v1", "kind": "Composition"}
    composition = {**head, "spec": {"pipeline": [{"input": resources}]}}
    (evaluator,) = evaluators(check_value(composition, load()))
    verdict = evaluator.evaluate(ClusterState(objects=[subject], now=_NOW))
    refusals = (
        f"readinessChecks[{index}]: {words}"
        for index, check in enumerate(checks)
        if (words := readiness.refusal(check))
    )
    extra: dict[str, Any] = {"ready": verdict.status == "True", "gate": next(refusals, "")}
    if not vector["want"]["error"].startswith("panic"):
        extra["error"] = verdict.error
    return Answer(ok=True, extra=extra)


MODES: dict[str, Mode] = {"readiness-checks": _readiness}
