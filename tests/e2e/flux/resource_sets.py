"""ResourceSets, which hold their objects themselves."""

from __future__ import annotations

from dataclasses import replace

from tests.conformance.flux_controllers import timeless
from tests.e2e.cluster import Document
from tests.e2e.flux.replay import Declared, condition, publish

_RESULTS = {"DependencyNotReady": "False", "ReconciliationFailed": "Failed"}


def _settled(found: Document) -> bool:
    return condition(found, "Ready").get("status") in ("True", "False")


def _end(found: Document) -> dict[str, str]:
    ready = condition(found, "Ready")
    if ready["status"] == "True":
        return {"result": "Ready"}
    result = _RESULTS.get(ready["reason"], "Stalled")
    return {"result": result, "message": timeless(ready["message"]).rstrip()}


RESOURCE_SETS = Declared("resourcesets.fluxcd.controlplane.io", lambda *_: None, _settled, _end)
OF_KUSTOMIZATIONS = replace(RESOURCE_SETS, publish=publish)
"""ResourceSets that build Kustomizations, which have their objects from the source."""
