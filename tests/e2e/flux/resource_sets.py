"""ResourceSets, which hold their objects themselves."""

from __future__ import annotations

from tests.e2e.cluster import Document
from tests.e2e.flux.replay import Declared, condition

_RESULTS = {"DependencyNotReady": "False", "ReconciliationFailed": "Failed"}


def _settled(found: Document) -> bool:
    return condition(found, "Ready").get("status") in ("True", "False")


def _end(found: Document) -> dict[str, str]:
    ready = condition(found, "Ready")
    if ready["status"] == "True":
        return {"result": "Ready"}
    result = _RESULTS.get(ready["reason"], "Stalled")
    return {"result": result, "message": ready["message"].rstrip()}


RESOURCE_SETS = Declared("resourcesets.fluxcd.controlplane.io", lambda *_: None, _settled, _end)
