"""The health test of a suggestion: a declaration with its entry, and the life of the kind."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.checks import check_found
from celvet.lint.controllers import evaluators
from celvet.lint.healthtest.timestamps import latest
from celvet.lint.manifest import KubeObject
from celvet.lint.model import Value
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.schemas import Catalog
from celvet.schemas.facts import LifeState


def health_test(suggestion: Suggestion, catalog: Catalog) -> list[dict[str, Value]]:
    """The two documents of a file for `celvet test`."""
    name = str(suggestion.kind).lower().lstrip(".")
    waiter = declaration(name, suggestion.fields)
    evaluator = evaluator_of(suggestion, catalog)
    identity = ("apiVersion", "kind")
    entry = {key: suggestion.fields[key] for key in identity if key in suggestion.fields}
    target = {"kind": waiter["kind"], "name": name, **({"entry": entry} if entry else {})}
    test = {
        "apiVersion": "celvet.dev/v1alpha1",
        "kind": "HealthTest",
        "metadata": {"name": f"life of {suggestion.title}"},
        "target": target,
        "cases": [_case(state, evaluator) for state in suggestion.life],
    }
    return [waiter, test]


def declaration(name: str, entry: Mapping[str, str]) -> dict[str, Value]:
    """An object that waits for everything it applies, with an entry unless that is empty."""
    entries = {"healthCheckExprs": [dict(entry)]} if entry else {}
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": "flux-system"},
        "spec": {
            "interval": "1h",
            "timeout": "5m",
            "prune": True,
            "wait": True,
            "sourceRef": {"kind": "GitRepository", "name": "flux-system"},
            **entries,
        },
    }


def evaluator_of(suggestion: Suggestion, catalog: Catalog) -> Evaluator:
    """The evaluator of the entry; without an entry, that of the whole declaration."""
    waiter = declaration("waiter", suggestion.fields)
    candidates = evaluators(check_found(KubeObject.of(waiter), catalog))
    # Only the evaluator of an entry has a path.
    has_entry = bool(suggestion.entry)
    return next(evaluator for evaluator in candidates if bool(evaluator.path) == has_entry)


def case_of(name: str, obj: Mapping[str, Value], verdict: str) -> dict[str, Value]:
    """A case of a health test."""
    return {"name": name, "object": dict(obj), "expect": verdict}


def _case(state: LifeState, evaluator: Evaluator) -> dict[str, Value]:
    return case_of(
        state.name, state.object, _expected_verdict(state, dict(state.object), evaluator)
    )


def _expected_verdict(state: LifeState, obj: Mapping[str, Value], evaluator: Evaluator) -> str:
    """The verdict of the life; `Unknown` where a missing status cannot be asked, and Flux waits."""
    if "status" in obj or state.verdict != "InProgress":
        return state.verdict
    cluster = ClusterState(objects=(obj,), now=latest((obj,)))
    return "Unknown" if evaluator.evaluate(cluster).status == "Unknown" else state.verdict
