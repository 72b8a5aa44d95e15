"""A report as objects of a cluster: one in each namespace where something is wrong.

The fields are those of `apis/openreports.io/v1alpha1/report_types.go` of openreports/reports-api
v0.2.1. A PolicyReport of the Kubernetes policy working group has the same. What has no namespace is
in a report of the cluster (`clusterreport_types.go`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from celvet.lint.model import ObjectRef
from celvet.lint.safe_text import one_line
from celvet.lint.why.inputs.api import ApiResource, JsonObject
from celvet.lint.why.names import title
from celvet.lint.why.outlook.rules import NEEDS_CHANGE
from celvet.lint.why.report import Root, WaiterReport, WhyReport

REPORT_KINDS = {
    "openreports.io": (
        ApiResource("openreports.io", "v1alpha1", "Report", "reports"),
        ApiResource(
            "openreports.io", "v1alpha1", "ClusterReport", "clusterreports", namespaced=False
        ),
    ),
    "wgpolicyk8s.io": (
        ApiResource("wgpolicyk8s.io", "v1alpha2", "PolicyReport", "policyreports"),
        ApiResource(
            "wgpolicyk8s.io",
            "v1alpha2",
            "ClusterPolicyReport",
            "clusterpolicyreports",
            namespaced=False,
        ),
    ),
}
"""The kinds of reports by group: of a namespace, and of the cluster."""

WHY = "why"
"""The reports of `celvet why`."""

_MOST_BYTES = 256 * 1024
_MOST_OBJECTS = 50
_MOST_TEXT = 1000
_LEFT_OUT = "celvet.dev/left-out"


def report_objects(report: WhyReport, group: str) -> dict[str, JsonObject]:
    """The reports by namespace; that of the cluster has none.

    They have no times, so as long as the same is wrong they stay the same.
    """
    results: dict[str, list[JsonObject]] = defaultdict(list)
    for index, root in enumerate(report.roots):
        by_namespace: dict[str, list[WaiterReport]] = defaultdict(list)
        for waiter in report.waiters:
            if index in waiter.roots and _is_wrong(waiter, root):
                by_namespace[waiter.object.namespace].append(waiter)
        for namespace, waiters in by_namespace.items():
            results[namespace].append(_result(root, waiters))
    return report_documents(WHY, results, group)


def report_documents(
    name: str, results: Mapping[str, Sequence[JsonObject]], group: str
) -> dict[str, JsonObject]:
    """The report of this name for each namespace with results."""
    return {
        namespace: _document(name, namespace, several, REPORT_KINDS[group][not namespace])
        for namespace, several in results.items()
    }


def _is_wrong(waiter: WaiterReport, root: Root) -> bool:
    """Whether somebody should look at it; what is switched off is meant so."""
    if waiter.verdict in ("ready", "suspended"):
        return False
    return waiter.verdict == "failed" or root.outlook == NEEDS_CHANGE


def labels_of(name: str) -> dict[str, str]:
    """The labels on the reports of this name, by which all of a cluster are found."""
    return {"app.kubernetes.io/managed-by": "celvet", "celvet.dev/report": name}


def _document(
    name: str, namespace: str, results: Sequence[JsonObject], kind: ApiResource
) -> JsonObject:
    """The report of a namespace; results that make it too large are left out, and counted."""
    ordered_results = sorted(results, key=lambda result: (result["result"], result["message"]))
    counts = [result["result"] for result in ordered_results]
    summary = {word: counts.count(word) for word in ("pass", "fail", "warn", "error", "skip")}
    size, number = 0, 0
    for result in ordered_results:
        size += len(json.dumps(result))
        if size > _MOST_BYTES - 2 * _MOST_TEXT:
            break
        number += 1
    metadata: JsonObject = {
        "name": f"celvet-{name}",
        **({"namespace": namespace} if kind.namespaced else {}),
        "labels": labels_of(name),
    }
    if number < len(ordered_results):
        metadata["annotations"] = {_LEFT_OUT: str(len(ordered_results) - number)}
    document: JsonObject = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata}
    return {**document, "summary": summary, "results": ordered_results[:number]}


def _result(root: Root, waiters: Sequence[WaiterReport]) -> JsonObject:
    """A root, with the objects that it holds up."""
    lasts = root.outlook == NEEDS_CHANGE
    texts = {
        "root": title(root.object),
        "outlook": root.outlook,
        "field": root.field,
        "expression": root.expression,
        "finding": root.finding,
        "observed": ", ".join(f"{path}: {value}" for path, value in _observed(root).items()),
    }
    return {
        "source": "celvet",
        "policy": "why",
        "rule": root.cause,
        "category": "Reconciliation",
        "result": "fail" if lasts else "warn",
        "severity": "high" if lasts else "medium",
        "message": one_line(root.message, _MOST_TEXT),
        "resources": [resource_of(waiter.object) for waiter in waiters[:_MOST_OBJECTS]],
        "properties": {name: one_line(text, _MOST_TEXT) for name, text in texts.items() if text},
    }


def _observed(root: Root) -> Mapping[str, object]:
    """What an expression has read; the counters of built-in kinds change all the time."""
    return root.observed if root.expression else {}


def resource_of(reference: ObjectRef) -> JsonObject:
    """An object as a result of a report names it."""
    return {name: text for name, text in reference.fields().items() if text}
