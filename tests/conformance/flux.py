"""Answers the vectors of Flux's health checks: what the entry for the object's kind says of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.controllers import flux
from celvet.lint.controllers.judge import Situation
from tests.conformance.answer import Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


def _health(vector: Vector, subject: Any) -> Answer:
    entry = {"apiVersion": subject.get("apiVersion", ""), "kind": subject.get("kind", "")}
    kustomization = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "spec": {"healthCheckExprs": [entry | vector["exprs"]]},
    }
    verdict = flux.judges(kustomization)[0].judge(Situation(objects=[subject], now=_NOW))
    accepted = verdict.status not in ("Stalled", "Unknown")
    return Answer(ok=accepted, result=verdict.status, message=verdict.error or verdict.message)


MODES: dict[str, Mode] = {"health": _health}
