"""Answers the vectors of Sveltos: whether one of the rules matches."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


def _rules(vector: Vector, subject: Any) -> Answer:
    selector = {"evaluateCEL": vector.get("rules") or []}
    head = {"apiVersion": "lib.projectsveltos.io/v1beta1", "kind": "HealthCheck"}
    checked = check_value({**head, "spec": {"resourceSelectors": [selector]}}, load())
    cluster = ClusterState(objects=[subject], now=_NOW)
    verdicts = [evaluator.evaluate(cluster) for evaluator in evaluators(checked)]
    matched = any(verdict.status == "Match" for verdict in verdicts)
    beyond = any(verdict.error.startswith("not evaluated") for verdict in verdicts)
    return Answer(ok=True, message=NOT_ANALYSED if beyond else "", extra={"matched": matched})


MODES: dict[str, Mode] = {"sveltos-rules": _rules}
