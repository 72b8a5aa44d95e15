"""The built-in checks of function-auto-ready for kinds of Kubernetes (`healthchecks/`, 81ba55a)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from celvet.lint.model import Value
from celvet.lint.values import get, text_at


def is_ready(obj: Value) -> bool:
    """Whether the function marks an object ready that no expression has decided on."""
    check = _CHECKS.get((text_at(obj, ("apiVersion",)), text_at(obj, ("kind",))))
    return bool(check and check(obj)) or _has(obj, "Ready")


def _conditions(obj: Value) -> Iterator[tuple[str, str]]:
    conditions = get(obj, ("status", "conditions"))
    for condition in conditions if isinstance(conditions, list) else ():
        yield text_at(condition, ("type",)), text_at(condition, ("status",))


def _has(obj: Value, *types: str) -> bool:
    """Whether a condition of one of the types is true."""
    return any(kind in types and status == "True" for kind, status in _conditions(obj))


def _first_true(obj: Value, answers: Mapping[str, bool]) -> bool:
    """The answer of the first condition that is true and has one."""
    verdict = (
        answers[kind] for kind, status in _conditions(obj) if status == "True" and kind in answers
    )
    return next(verdict, False)


def _count(obj: Value, *path: str) -> int | None:
    value = get(obj, path)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _are_equal(*counts: int | None) -> bool:
    return None not in counts and len(set(counts)) == 1


def _wanted(obj: Value) -> int:
    replicas = _count(obj, "spec", "replicas")
    return 1 if replicas is None else replicas


def _deployment(obj: Value) -> bool:
    counts = (_count(obj, "status", name) for name in ("updatedReplicas", "availableReplicas"))
    return _are_equal(_wanted(obj), *counts) and _has(obj, "Available")


def _stateful_set(obj: Value) -> bool:
    counts = (_count(obj, "status", name) for name in ("readyReplicas", "currentReplicas"))
    current, update = (get(obj, ("status", f"{name}Revision")) for name in ("current", "update"))
    return _are_equal(_wanted(obj), *counts) and isinstance(current, str) and current == update


def _daemon_set(obj: Value) -> bool:
    names = ("desired", "updated")
    counts = [_count(obj, "status", f"{name}NumberScheduled") for name in names]
    counts += [_count(obj, "status", f"number{name}") for name in ("Ready", "Available")]
    return _are_equal(*counts)


def _replica_set(obj: Value) -> bool:
    observed_generation = _count(obj, "status", "observedGeneration") or 0
    available = _count(obj, "status", "availableReplicas") or 0
    is_new = observed_generation >= (_count(obj, "metadata", "generation") or 0)
    return is_new and not _has(obj, "ReplicaFailure") and available >= _wanted(obj)


def _pod(obj: Value) -> bool:
    phase = text_at(obj, ("status", "phase"))
    always = text_at(obj, ("spec", "restartPolicy")) == "Always"
    return phase == "Succeeded" or (phase == "Running" and always and _has(obj, "Ready"))


def _job(obj: Value) -> bool:
    return _first_true(obj, {"Failed": False, "Suspended": False, "Complete": True})


def _autoscaler(obj: Value) -> bool:
    failures = ("FailedGetScale", "FailedUpdateScale", "FailedGetResourceMetric", "InvalidSelector")
    good = dict.fromkeys(("ScalingActive", "ScalingLimited"), True)
    return _first_true(obj, {**dict.fromkeys(failures, False), **good})


def _cron_job(obj: Value) -> bool:
    if get(obj, ("spec", "suspend")) is True:
        return True
    scheduled, succeeded = (
        text_at(obj, ("status", f"last{name}Time")) for name in ("Schedule", "Successful")
    )
    if not scheduled:
        return False
    return bool(get(obj, ("status", "active"))) or (succeeded != "" and succeeded >= scheduled)


def _has_address(obj: Value) -> bool:
    return bool(get(obj, ("status", "loadBalancer", "ingress")))


def _service(obj: Value) -> bool:
    return text_at(obj, ("spec", "type")) != "LoadBalancer" or _has_address(obj)


_CHECKS: Mapping[tuple[str, str], Callable[[Value], bool]] = {
    **dict.fromkeys(
        (("v1", kind) for kind in ("ConfigMap", "Namespace", "Secret", "ServiceAccount")),
        lambda _: True,
    ),
    ("apps/v1", "DaemonSet"): _daemon_set,
    ("apps/v1", "Deployment"): _deployment,
    ("apps/v1", "ReplicaSet"): _replica_set,
    ("apps/v1", "StatefulSet"): _stateful_set,
    ("autoscaling/v2", "HorizontalPodAutoscaler"): _autoscaler,
    ("batch/v1", "CronJob"): _cron_job,
    ("batch/v1", "Job"): _job,
    ("networking.k8s.io/v1", "Ingress"): _has_address,
    ("v1", "PersistentVolumeClaim"): lambda obj: text_at(obj, ("status", "phase")) == "Bound",
    ("v1", "Pod"): _pod,
    ("v1", "Service"): _service,
}
