"""Answers what the real kustomize-controller was asked: are the dependencies ready?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.evaluator import ClusterState, Evaluator
from celvet.lint.controllers.verdict import Verdict
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)


def _dependency(vector: Vector, _: Any) -> Answer:
    """The verdict of the first dependency that is not ready, or of the last."""
    cluster = ClusterState(
        objects=vector["objects"],
        now=_NOW,
        owner=vector["self"],
        settings={
            "AdditiveCELDependencyCheck": vector["additive"],
            "revision": vector["revision"],
        },
    )
    found = [each for each in _evaluators(vector) if "dependsOn" in each.path]
    verdicts = [each.evaluate(cluster) for each in found]
    return _answer(vector, next((each for each in verdicts if each.status != "True"), verdicts[-1]))


def _evaluators(vector: Vector) -> tuple[Evaluator, ...]:
    return evaluators(check_value(vector["declaration"], load()))


def _answer(vector: Vector, verdict: Verdict) -> Answer:
    """`start` is what stands before cel-go's own words, which celvet has others for."""
    start = verdict.message[: len(vector["want"].get("start", ""))]
    return Answer(
        ok=True, result=verdict.status, extra={"message": verdict.message, "start": start}
    )


MODES: dict[str, Mode] = {"dependency": _dependency}
