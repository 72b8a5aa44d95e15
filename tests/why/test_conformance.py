"""The roots of the waits that were recorded from real controllers: what those named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.investigation import investigate
from celvet.lint.why.snapshot import Snapshot
from celvet.schemas import load
from tests.conformance.flux_controllers import RECORDED
from tests.conformance.run import vectors
from tests.properties import sample
from tests.why.states import inventory_id

_RECORDINGS = Path(__file__).parents[1] / "conformance"
_FILES = ("kustomize-controller.yaml", "helm-controller.yaml", "flux-controllers.jsonl")
_NAMED = re.compile(r"(\w+)/(?:([^/\s]+)/)?([^/\s]+) status: '")
_NO_NAMESPACE = "namespace is not set"
_NO_KIND = "no matches for kind"
_SINCE = "2026-01-01T23:59:58Z"


def _waits() -> Iterator[Mapping[str, Any]]:
    """All that ended by the health of objects, without those with facts that celvet cannot know."""
    for name in _FILES:
        for vector, _ in vectors(_RECORDINGS / name):
            ended = vector["want"].get("result") in ("Current", "Ready", "Timeout", "Failed")
            if vector["mode"] in ("reconcile", "release") and ended and "beyond" not in vector:
                yield vector


@pytest.mark.parametrize("failed", [False, True], ids=["waits", "has failed"])
def test_the_roots_are_the_objects_that_the_controller_named(failed: bool) -> None:
    waits = [*_waits()]
    assert len(waits) > 180
    differing = [vector["case"] for vector in sample(waits) if not _agrees(vector, failed)]
    assert differing == []


def _agrees(vector: Mapping[str, Any], failed: bool) -> bool:
    message = vector["want"].get("message", "")
    if not failed and (_NO_NAMESPACE in message or _NO_KIND in message):
        return True  # Flux does not begin such a wait, or does not tell before its end.
    holder = {**vector["declaration"], "status": _status(vector, message if failed else "")}
    targets = () if vector.get("newest") else RECORDED
    now = timestamp("2026-01-02T00:00:00Z")
    assert now
    report = investigate(Snapshot.of([holder, *vector["objects"]]), load(targets=targets), now)
    roots = {(r.object.kind, r.object.namespace, r.object.name) for r in report.roots}
    own = (holder["kind"], holder["metadata"]["namespace"], holder["metadata"]["name"])
    return roots == ({own} if _NO_NAMESPACE in message else {*_NAMED.findall(message)})


def test_a_dependency_has_roots_while_its_controller_waits_for_it() -> None:
    asked = [
        vector
        for name in _FILES
        for vector, _ in vectors(_RECORDINGS / name)
        if vector["mode"] == "dependency"
    ]
    assert len(asked) > 80
    differing = [
        vector["case"]
        for vector in sample(asked)
        if bool(_dependency_roots(vector)) is (vector["want"].get("result") == "True")
    ]
    assert differing == []


def _dependency_roots(vector: Mapping[str, Any]) -> Sequence[object]:
    """The roots beside the source, and the controller with its feature gate."""
    condition = {"type": "Ready", "status": "False", "reason": "DependencyNotReady"}
    condition["message"] = "not found"
    holder = vector.get("self") or vector["declaration"]
    source = {"kind": "GitRepository", "apiVersion": "source.toolkit.fluxcd.io/v1"}
    gate = f"--feature-gates=Other=false,AdditiveCELDependencyCheck={vector.get('additive', False)}"
    image = f"fluxcd/{'helm' if holder['kind'] == 'HelmRelease' else 'kustomize'}-controller:v1"
    containers = {"containers": [{"image": image, "args": [gate]}]}
    objects = [
        {**holder, "status": {**holder.get("status", {}), "conditions": [condition]}},
        {
            **source,
            "metadata": {"name": "fleet", "namespace": "flux-system"},
            "status": {"artifact": {"revision": vector.get("revision")}},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "controller"},
            "spec": {"template": {"spec": containers}},
        },
        *vector["objects"],
    ]
    now = timestamp("2026-01-02T00:00:00Z")
    assert now
    targets = () if vector.get("newest") else RECORDED
    report = investigate(Snapshot.of(objects), load(targets=targets), now)
    own = next(w for w in report.waiters if w.object.name == holder["metadata"]["name"])
    return own.roots


def _status(vector: Mapping[str, Any], message: str) -> dict[str, Any]:
    """What the controller writes during the wait, and after one that has failed."""
    is_release = vector["mode"] == "release"
    runs = "Running 'install' action with timeout of 6s" if is_release else "Running health checks"
    ready, told = ("False HealthCheckFailed", message) if message else ("Unknown Progressing", runs)
    texts = {"Ready": (ready, told), "Reconciling": ("True Progressing", runs)}
    if not is_release:
        texts["Healthy"] = (ready, told)
    conditions = [
        {"type": name, "status": text.split()[0], "reason": text.split()[1], "message": words}
        for name, (text, words) in texts.items()
    ]
    return {
        "conditions": [{**item, "lastTransitionTime": _SINCE} for item in conditions],
        "inventory": {"entries": [{"id": inventory_id(obj)} for obj in vector["objects"]]},
    }
