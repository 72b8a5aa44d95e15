"""Answers what the real controllers were asked: how does a Kustomization or HelmRelease end?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from typing import Any, TypeAlias

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.controllers import evaluators
from celvet.lint.model import Severity
from celvet.lint.validation import Violation
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.rollout import waits
from celvet.lint.verdicts.verdict import Verdict
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector

_TOOK = re.compile(r"health check failed after [\d.hmµns]+: ")
_HELM = re.compile(r"^Helm \w+ failed for release \S+ with chart \S+: ")
_NOW = datetime(2026, 1, 2, tzinfo=UTC)
Targets: TypeAlias = tuple[tuple[str, str], ...]
RECORDED: Targets = (("flux", "2.9"),)
"""What was recorded is kustomize-controller 1.9, but for the vectors of the newest."""


def _dependency(vector: Vector, _: Any) -> Answer:
    """The verdict of the first dependency that is not ready, or of the last."""
    cluster = ClusterState(
        objects=vector["objects"],
        now=_NOW,
        owner=vector.get("self"),
        settings={
            "AdditiveCELDependencyCheck": vector.get("additive", False),
            "revision": vector.get("revision"),
        },
    )
    found = [each for each in _evaluators(vector) if "dependsOn" in each.path]
    verdicts = [each.evaluate(cluster) for each in found]
    return _answer(vector, next((each for each in verdicts if each.status != "True"), verdicts[-1]))


def _evaluators(vector: Vector) -> tuple[Evaluator, ...]:
    return evaluators(_checked(vector))


def _checked(vector: Vector) -> CheckedObject:
    return check_value(vector["declaration"], load(targets=_targets(vector)))


def _targets(vector: Vector) -> Targets:
    return () if vector.get("newest") else RECORDED


def _answer(vector: Vector, verdict: Verdict) -> Answer:
    """`start` is the text before cel-go's own words, for which celvet has other ones."""
    start = verdict.message[: len(vector["want"].get("start", ""))]
    return Answer(
        ok=True, result=verdict.status, extra={"message": verdict.message, "start": start}
    )


def _reconcile(vector: Vector, _: Any) -> Answer:
    """How a reconciliation ends, and with which message."""
    if any(each.severity is Severity.ERROR for each in _refused(vector)):
        return Answer(ok=True, result="Refused")
    cluster = ClusterState(objects=vector["objects"], now=_NOW, waited=timedelta(days=1))
    verdict = whole(_evaluators(vector)).evaluate(cluster)
    return _answer(vector, replace(verdict, status=_end(verdict), message=told(verdict.message)))


def _release(vector: Vector, subject: Any) -> Answer:
    """The same for a HelmRelease, whose status does not show whether health was checked."""
    answer = _reconcile(vector, subject)
    words = {"Current": "Ready", "Applied": "Ready"}
    return replace(answer, result=words.get(answer.result, answer.result))


def whole(found: Iterable[Evaluator]) -> Evaluator:
    """The evaluator of everything that is deployed."""
    return next(each for each in found if not each.path)


def _rollout(vector: Vector, _: Any) -> Answer:
    """The waits for objects whose states change, with the checks at which they end."""

    def seen(at: timedelta) -> ClusterState:
        past = [each["objects"] for each in vector["states"] if each["at"] <= at.total_seconds()]
        return ClusterState(objects=past[-1], now=_NOW + at, settings=vector["settings"])

    every = waits(whole(_evaluators(vector)), seen)
    if "during" in vector:
        end = timedelta(seconds=vector["during"])
        found = takewhile(lambda each: each.at <= end, every)
    else:
        found = islice(every, len(vector["want"]["result"]))
    return Answer(
        ok=True,
        result=[
            {
                "end": each.verdict.end,
                "took": each.took.total_seconds(),
                "message": told(each.verdict.message),
            }
            for each in found
        ],
    )


def told(message: str) -> str:
    """A message without the words in front: how long a failed wait took, and what Helm did."""
    return _HELM.sub("", timeless(message))


def timeless(message: str) -> str:
    """A message without the durations of failed waits."""
    return _TOOK.sub("", message)


def _refused(vector: Vector) -> list[Violation]:
    """The reason why the API server refuses the declaration: its required fields, its durations."""
    found = _checked(vector).validation.violations
    return [each for each in found if each.keyword in ("required", "pattern")]


def _end(verdict: Verdict) -> str:
    """`Applied` if health was not checked, `Timeout` if the wait was over."""
    words = {"Ignored": "Applied", "Stalled": "Stalled", "Current": "Current"}
    return words.get(verdict.status) or ("Failed" if verdict.end == "failed" else "Timeout")


MODES: dict[str, Mode] = {
    "dependency": _dependency,
    "reconcile": _reconcile,
    "release": _release,
    "rollout": _rollout,
}
