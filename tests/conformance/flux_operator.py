"""Answers what the real Flux Operator was asked: how does a ResourceSet end?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.go.durations import duration
from celvet.lint.model import Severity, Value
from celvet.lint.resourceset import BuildError, InputSetError, build, combine
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.verdict import Verdict
from celvet.schemas import load
from tests.conformance.answer import Answer, Mode, Vector
from tests.conformance.flux_controllers import RECORDED, timeless, whole

_NOW = datetime(2026, 1, 2, tzinfo=UTC)
_KNOWN = load(targets=(("flux-operator", "0.59"), *RECORDED))
_TIMEOUT = "fluxcd.controlplane.io/reconcileTimeout"


def _resource_set(vector: Vector, _: Any) -> Answer:
    """How a reconciliation ends: at its expressions, dependencies, templates or waits."""
    declaration = vector["declaration"]
    checked = check_value(declaration, _KNOWN)
    if any(each.severity is Severity.ERROR for each in checked.validation.violations):
        return Answer(ok=True, result="Refused")
    found = evaluators(checked)
    for each in found:
        if "dependsOn" in each.path:
            verdict = each.evaluate(_cluster(vector["objects"]))
            if verdict.status != "True":
                return _answer(vector, verdict.status, verdict)
    try:
        steps = build(declaration, combine(declaration))
    except (BuildError, InputSetError) as error:
        return Answer(ok=True, result="Stalled", extra={"message": f"build failed: {error}"})
    for index, step in enumerate(steps):
        for each in found:
            if each.path in ((), ("spec", "steps", index)):
                verdict = _waited(each, [built.value for built in step.objects], vector["objects"])
                if verdict.end != "succeeded":
                    return _answer(vector, "Failed", verdict)
    return Answer(ok=True, result="Ready")


def _built(vector: Vector, _: Any) -> Answer:
    """The end of a wait for a Kustomization, whose own controller judges its objects meanwhile."""
    declaration = vector["declaration"]
    by = whole(evaluators(check_value(declaration, _KNOWN)))
    ((built,),) = (step.objects for step in build(declaration, combine(declaration)))
    waited = duration(declaration["metadata"]["annotations"][_TIMEOUT])
    assert waited is not None
    own = whole(evaluators(check_value(built.value, _KNOWN)))
    judged = own.evaluate(_cluster(vector["objects"], waited))
    verdict = by.evaluate(_cluster([_judged(built.value, judged)], waited))
    if verdict.end == "succeeded":
        return Answer(ok=True, result="Ready")
    return _answer(vector, "Failed", replace(verdict, message=timeless(verdict.message)))


def _judged(kustomization: Any, verdict: Verdict) -> Value:
    """A Kustomization with the conditions by which kustomize-controller reports a verdict."""
    over = verdict.status == "Stalled" or verdict.end
    ready = {
        "type": "Ready",
        "status": {"succeeded": "True", "": "Unknown"}.get(over and verdict.end, "False"),
        "message": verdict.message if over else "Reconciliation in progress",
    }
    others = ["Stalled"] if verdict.status == "Stalled" else []
    conditions = [ready, *({"type": each, "status": "True"} for each in others)]
    return {**kustomization, "status": {"conditions": conditions}}


def _waited(by: Evaluator, built: Sequence[Value], objects: Sequence[Value]) -> Verdict:
    """The end of a wait for the objects of a step, as they are in the cluster."""
    known = {_key(each): each for each in objects}
    return by.evaluate(_cluster([known[_key(each)] for each in built], waited=timedelta(days=1)))


def _key(obj: Any) -> tuple[str, str, str]:
    return obj["apiVersion"], obj["kind"], obj["metadata"]["name"]


def _cluster(objects: Sequence[Value], waited: timedelta = timedelta()) -> ClusterState:
    return ClusterState(objects=objects, now=_NOW, waited=waited)


def _answer(vector: Vector, result: str, verdict: Verdict) -> Answer:
    start = verdict.message[: len(vector["want"].get("start", ""))]
    return Answer(ok=True, result=result, extra={"message": verdict.message, "start": start})


MODES: dict[str, Mode] = {"built": _built, "resource-set": _resource_set}
