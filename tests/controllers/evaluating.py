"""Evaluates the cases of tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from celvet.lint import controllers
from celvet.lint.checks import check_value
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.schemas import load
from tests.controllers.table import shown

NOW = datetime(2026, 1, 2, 3, 10, tzinfo=UTC)


def evaluators(declaration: Any) -> tuple[Evaluator, ...]:
    """The evaluators of an object."""
    return controllers.evaluators(check_value(declaration, load()))


def evaluator_at(declaration: Any, path: list[str | int]) -> Evaluator:
    """The evaluator of the part at a path."""
    return next(evaluator for evaluator in evaluators(declaration) if list(evaluator.path) == path)


def cluster(case: dict[str, Any]) -> ClusterState:
    """The cluster state of a case; `waited` is in seconds."""
    return ClusterState(
        objects=case.get("objects", []),
        now=NOW,
        owner=case.get("owner"),
        settings=case.get("settings", {}),
        waited=timedelta(seconds=case.get("waited", 0)),
    )


def verdict_of(case: dict[str, Any], declaration: Any) -> dict[str, Any]:
    """The verdict of the evaluator at the `path` of a case, in the form of `expect`."""
    evaluator = evaluator_at(declaration, case.get("path", []))
    verdict = evaluator.evaluate(cluster(case))
    assert verdict.status in evaluator.statuses
    return shown(verdict)
