"""HelmReleases: each with a chart of its own, which holds the objects of its case."""

from __future__ import annotations

from tests.conformance.flux_controllers import told
from tests.e2e.cluster import Document
from tests.e2e.flux.controller import Source
from tests.e2e.flux.replay import Declared, States, condition, manifests

_CHART = "chart"


def _publish(source: Source, objects: States) -> None:
    for namespace, those in objects.items():
        source.chart(_CHART, namespace, manifests(those))


def _settled(found: Document) -> bool:
    over = condition(found, "Ready").get("status") in ("True", "False")
    return over and condition(found, "Reconciling").get("reason") != "Progressing"


def _end(found: Document) -> dict[str, str]:
    ready = condition(found, "Ready")
    message = told(ready["message"])
    if ready["status"] == "True":
        return {"result": "Ready"}
    if ready["reason"] == "InvalidCELExpression":
        return {"result": "Stalled", "message": message}
    return {"result": "Failed" if "failed early" in message else "Timeout", "message": message}


HELM_RELEASES = Declared("helmreleases.helm.toolkit.fluxcd.io", _publish, _settled, _end)
