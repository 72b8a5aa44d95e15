"""Helm: `--wait` of Helm 4 by kstatus, and the ready checker of Helm 3 and `--wait=legacy`.

Mirrors `pkg/kube/statuswait.go` and `pkg/kube/ready.go` of `helm.sh/helm/v4` (v4.2.4); Helm 3 has
the same checker in `pkg/kube/ready.go` of `helm.sh/helm/v3` (v3.22.0).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime

from celvet.lint.model import Value
from celvet.lint.values import get, group_kind_of, list_at, text_at
from celvet.lint.verdicts.unstructured import integer_or, text_or
from celvet.lint.waiters import kstatus
from celvet.lint.waiters.waiter import Waiter, WaiterJudgement

_Shortage = Callable[[Value], str]
"""Says what an object lacks, or nothing where it is ready."""


def _judge(obj: Value, now: datetime) -> WaiterJudgement:
    """kstatus, but a paused Deployment is not waited for (`statusWaiter.wait`)."""
    if _is_paused(obj):
        return WaiterJudgement(status="", effect="ready", message="a paused Deployment is left out")
    return kstatus.judge(obj, now)


def _judge_legacy(obj: Value, _: datetime) -> WaiterJudgement:
    """`ReadyChecker.IsReady` without `--wait-for-jobs`, as far as the object alone tells.

    Pods of a ReplicaSet and the ReplicaSet of a Deployment are other objects; the counts in the
    status of the Deployment stand for them. A kind without a rule is ready at once.
    """
    shortage = _SHORTAGES.get(str(group_kind_of(obj)), lambda _: "")(obj)
    if shortage:
        return WaiterJudgement(status="not ready", effect="waits", message=shortage)
    return WaiterJudgement(status="ready", effect="ready")


def _is_paused(obj: Value) -> bool:
    return str(group_kind_of(obj)) == "Deployment.apps" and get(obj, ("spec", "paused")) is True


def _pod(obj: Value) -> str:
    conditions = list_at(obj, ("status", "conditions"))
    is_ready = any(
        (text_at(item, ("type",)), text_at(item, ("status",))) == ("Ready", "True")
        for item in conditions
    )
    return "" if is_ready else "the Pod is not ready"


def _deployment(obj: Value) -> str:
    if _is_paused(obj):
        return ""
    if shortage := _unobserved(obj):
        return shortage
    replicas = integer_or(1, obj, "spec", "replicas")
    least = replicas - _max_unavailable(obj, replicas)
    count = integer_or(0, obj, "status", "readyReplicas")
    return f"{count} of {least} pods are ready" if count < least else ""


def _max_unavailable(obj: Value, replicas: int) -> int:
    """`deploymentutil.MaxUnavailable`: by default a quarter, rounded down; none with Recreate."""
    strategy = get(obj, ("spec", "strategy"), {})
    if text_or("RollingUpdate", strategy, "type") != "RollingUpdate" or replicas == 0:
        return 0
    unavailable = _scaled(get(strategy, ("rollingUpdate", "maxUnavailable"), "25%"), replicas)
    surge = _scaled(get(strategy, ("rollingUpdate", "maxSurge"), "25%"), replicas, math.ceil)
    # `ResolveFenceposts`: both zero would never roll anything out.
    return min(1 if unavailable == surge == 0 else unavailable, replicas)


def _scaled(value: Value, total: int, rounding: Callable[[float], int] = math.floor) -> int:
    if isinstance(value, str) and value.endswith("%") and value[:-1].isdigit():
        return rounding(total * int(value[:-1]) / 100)
    return value if isinstance(value, int) else 0


def _volume_claim(obj: Value) -> str:
    return "" if text_or("", obj, "status", "phase") == "Bound" else "the claim is not bound"


def _service(obj: Value) -> str:
    if text_or("", obj, "spec", "type") == "ExternalName":
        return ""
    if not text_or("", obj, "spec", "clusterIP"):
        return "the Service has no cluster IP"
    is_balancer = text_or("", obj, "spec", "type") == "LoadBalancer"
    if not is_balancer or list_at(obj, ("spec", "externalIPs")):
        return ""
    # `Ingress == nil`: an empty list decodes to a slice that is not nil.
    if get(obj, ("status", "loadBalancer", "ingress")) is None:
        return "the load balancer has no address"
    return ""


def _daemon_set(obj: Value) -> str:
    if shortage := _unobserved(obj):
        return shortage
    if text_or("RollingUpdate", obj, "spec", "updateStrategy", "type") != "RollingUpdate":
        return ""
    number = integer_or(0, obj, "status", "desiredNumberScheduled")
    number_updated = integer_or(0, obj, "status", "updatedNumberScheduled")
    if number_updated != number:
        return f"{number_updated} of {number} pods are scheduled"
    unavailable = get(obj, ("spec", "updateStrategy", "rollingUpdate", "maxUnavailable"), 1)
    least = number - _scaled(unavailable, number, math.ceil)
    count = integer_or(0, obj, "status", "numberReady")
    return f"{count} of {least} pods are ready" if count < least else ""


def _definition(obj: Value) -> str:
    for condition in list_at(obj, ("status", "conditions")):
        state = (text_at(condition, ("type",)), text_at(condition, ("status",)))
        if state in {("Established", "True"), ("NamesAccepted", "False")}:
            return ""
    return "the definition is not established"


def _stateful_set(obj: Value) -> str:
    if shortage := _unobserved(obj):
        return shortage
    if text_or("RollingUpdate", obj, "spec", "updateStrategy", "type") != "RollingUpdate":
        return ""
    replicas = integer_or(1, obj, "spec", "replicas")
    partition = integer_or(0, obj, "spec", "updateStrategy", "rollingUpdate", "partition")
    number_updated = integer_or(0, obj, "status", "updatedReplicas")
    if number_updated < replicas - partition:
        return f"{number_updated} of {replicas - partition} pods are scheduled"
    count = integer_or(0, obj, "status", "readyReplicas")
    if count != replicas:
        return f"{count} of {replicas} pods are ready"
    revisions = (text_or("", obj, "status", f"{name}Revision") for name in ("current", "update"))
    if partition == 0 and len({*revisions}) > 1:
        return "the current revision is not the updated one"
    return ""


def _unobserved(obj: Value) -> str:
    observation = integer_or(0, obj, "status", "observedGeneration")
    generation = integer_or(0, obj, "metadata", "generation")
    return "" if observation == generation else f"generation {generation} is not observed yet"


_SHORTAGES: dict[str, _Shortage] = {
    "Pod": _pod,
    "Deployment.apps": _deployment,
    "PersistentVolumeClaim": _volume_claim,
    "Service": _service,
    "DaemonSet.apps": _daemon_set,
    "CustomResourceDefinition.apiextensions.k8s.io": _definition,
    "StatefulSet.apps": _stateful_set,
    "ReplicationController": _unobserved,
    "ReplicaSet.apps": _unobserved,
}
"""`Kind.group` -> its rule in the ready checker; it lists typed objects, so versions are fixed."""

HELM4 = Waiter(name="helm4", mirrors="Helm v4.2.4, --wait", judge=_judge)
_ABSENT = WaiterJudgement(
    status="",
    effect="unknown",
    message="the wait ends with an error for a kind with a rule; others are ready at once",
)
"""`IsReady` asks the API server only for those, and NotFound is not retried."""

HELM4_LEGACY = Waiter(
    name="helm4-legacy", mirrors="Helm v4.2.4, --wait=legacy", judge=_judge_legacy, absent=_ABSENT
)
HELM3 = Waiter(name="helm3", mirrors="Helm v3.22.0, --wait", judge=_judge_legacy, absent=_ABSENT)
