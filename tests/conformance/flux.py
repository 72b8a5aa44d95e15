"""Answers the vectors of Flux's health checks: the verdict of the entry for the object's kind."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import Catalog, load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector, cel_go

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


@lru_cache
def _catalog(version: str) -> Catalog:
    known = load()
    return replace(
        known, dialects={name: each.at(version) for name, each in known.dialects.items()}
    )


def _health(vector: Vector, subject: Any) -> Answer:
    entry = {"apiVersion": subject.get("apiVersion", ""), "kind": subject.get("kind", "")}
    kustomization = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "spec": {"wait": True, "healthCheckExprs": [entry | vector["exprs"]]},
    }
    first, *_ = evaluators(check_value(kustomization, _catalog(cel_go(vector))))
    verdict = first.evaluate(ClusterState(objects=[subject], now=_NOW))
    accepted = verdict.status not in ("Stalled", "Unknown")
    message = verdict.error or verdict.message
    message = NOT_ANALYSED if message.startswith("not evaluated") else message
    return Answer(ok=accepted, result=verdict.status, message=message)


MODES: dict[str, Mode] = {"health": _health}
