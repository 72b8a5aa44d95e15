"""Answers the vectors of Flux's health checks: what the entry for the object's kind says of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.evaluator import ClusterState
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


def _health(vector: Vector, subject: Any) -> Answer:
    entry = {"apiVersion": subject.get("apiVersion", ""), "kind": subject.get("kind", "")}
    kustomization = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "spec": {"healthCheckExprs": [entry | vector["exprs"]]},
    }
    first, *_ = evaluators(check_value(kustomization, load()))
    verdict = first.evaluate(ClusterState(objects=[subject], now=_NOW))
    accepted = verdict.status not in ("Stalled", "Unknown")
    return Answer(ok=accepted, result=verdict.status, message=verdict.error or verdict.message)


MODES: dict[str, Mode] = {"health": _health}
