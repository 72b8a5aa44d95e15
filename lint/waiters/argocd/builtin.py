"""Argo CD's own rules for built-in kinds: `gitops-engine/pkg/health` of argo-cd v3.5.1.

Argo CD decodes an object into its Go type first. A field of another type is an error there, as it
is here for the fields that a rule reads; null counts as absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from celvet.lint.model import Value
from celvet.lint.values import get
from celvet.lint.verdicts.unstructured import (
    FieldTypeError,
    optional_list,
    optional_number,
    optional_text,
)
from celvet.lint.waiters.argocd.health import Health

HealthRule = Callable[[Value], Health]

_ROLLOUT = "Waiting for rollout to finish: "
_AUTOSCALING = Health("Progressing", "Waiting to Autoscale")
_DEGRADED_AUTOSCALING = frozenset(
    {
        ("AbleToScale", "FailedGetScale"),
        ("AbleToScale", "FailedUpdateScale"),
        ("ScalingActive", "FailedGetResourceMetric"),
        ("ScalingActive", "FailedGetObjectMetric"),
        ("ScalingActive", "FailedGetPodsMetric"),
        ("ScalingActive", "FailedGetExternalMetric"),
        ("ScalingActive", "FailedComputeMetricsReplicas"),
        ("ScalingActive", "InvalidSelector"),
    }
)
_WORKFLOW = {
    "": "Progressing",
    "Pending": "Progressing",
    "Running": "Progressing",
    "Succeeded": "Healthy",
    "Failed": "Degraded",
    "Error": "Degraded",
}
_POD = {"Pending": "Progressing", "Succeeded": "Healthy"}
_CLAIM = {"Lost": "Degraded", "Pending": "Progressing", "Bound": "Healthy"}


def _count(obj: Value, *path: str) -> int:
    return optional_number(obj, *path) or 0


def _conditions(obj: Value) -> Sequence[Value]:
    conditions = optional_list(obj, "status", "conditions")
    return [condition for condition in conditions if isinstance(condition, dict)]


def _condition(obj: Value, name: str) -> Value:
    return next((item for item in _conditions(obj) if item.get("type") == name), None)


def _is_unobserved(obj: Value) -> bool:
    return _count(obj, "metadata", "generation") > _count(obj, "status", "observedGeneration")


def _api_service(obj: Value) -> Health:
    condition = _condition(obj, "Available")
    if condition is None:
        return Health("Progressing", "Waiting to be processed")
    message = f"{optional_text(condition, 'reason')}: {optional_text(condition, 'message')}"
    is_available = optional_text(condition, "status") == "True"
    return Health("Healthy" if is_available else "Progressing", message)


def _workflow(obj: Value) -> Health:
    try:
        phase = optional_text(obj, "status", "phase")
    except FieldTypeError:
        phase = ""
    try:
        message = optional_text(obj, "status", "message")
    except FieldTypeError:
        message = ""
    return Health(_WORKFLOW.get(phase, "Unknown"), message)


def _daemon_set(obj: Value) -> Health:
    if _is_unobserved(obj):
        reason = "observed daemon set generation less than desired generation"
        return Health("Progressing", f"{_ROLLOUT}{reason}")
    new_pods = _count(obj, "status", "updatedNumberScheduled")
    all_pods = _count(obj, "status", "desiredNumberScheduled")
    available_pods = _count(obj, "status", "numberAvailable")
    if optional_text(obj, "spec", "updateStrategy", "type") == "OnDelete":
        message = f"daemon set {new_pods} out of {all_pods} new pods have been updated"
        return Health("Healthy", message)
    prefix = (
        f'Waiting for daemon set "{optional_text(obj, "metadata", "name")}" rollout to finish: '
    )
    if new_pods < all_pods:
        progress = f"{new_pods} out of {all_pods} new pods have been updated..."
        return Health("Progressing", f"{prefix}{progress}")
    if available_pods < all_pods:
        progress = f"{available_pods} of {all_pods} updated pods are available..."
        return Health("Progressing", f"{prefix}{progress}")
    return Health("Healthy")


def _deployment(obj: Value) -> Health:
    if get(obj, ("spec", "paused")) is True:
        return Health("Suspended", "Deployment is paused")
    if _is_unobserved(obj):
        reason = "observed deployment generation less than desired generation"
        return Health("Progressing", f"{_ROLLOUT}{reason}")
    progressing = _condition(obj, "Progressing")
    if (
        progressing is not None
        and optional_text(progressing, "reason") == "ProgressDeadlineExceeded"
    ):
        name = optional_text(obj, "metadata", "name")
        return Health("Degraded", f'Deployment "{name}" exceeded its progress deadline')
    replicas_wanted = optional_number(obj, "spec", "replicas")
    replicas, updated, available = (
        _count(obj, "status", key) for key in ("replicas", "updatedReplicas", "availableReplicas")
    )
    progress = ""
    if replicas_wanted is not None and updated < replicas_wanted:
        progress = f"{updated} out of {replicas_wanted} new replicas have been updated..."
    elif replicas > updated:
        progress = f"{replicas - updated} old replicas are pending termination..."
    elif available < updated:
        progress = f"{available} of {updated} updated replicas are available..."
    return Health("Progressing", f"{_ROLLOUT}{progress}") if progress else Health("Healthy")


def _autoscaler(obj: Value) -> Health:
    if optional_text(obj, "apiVersion") == "autoscaling/v1":
        key = "autoscaling.alpha.kubernetes.io/conditions"
        annotation = optional_text(obj, "metadata", "annotations", key)
        try:
            conditions = json.loads(annotation) if annotation else []
        except (ValueError, RecursionError) as error:
            raise FieldTypeError(f"failed to convert conditions annotation: {error}") from None
        items = [item for item in conditions or [] if isinstance(item, dict)]
    else:
        items = [*_conditions(obj)]
    for item in items:
        if (item.get("type"), item.get("reason")) in _DEGRADED_AUTOSCALING:
            return Health("Degraded", optional_text(item, "message"))
    for item in items:
        is_true = item.get("status") == "True"
        if is_true and item.get("type") in ("AbleToScale", "ScalingLimited"):
            return Health("Healthy", optional_text(item, "message"))
    return _AUTOSCALING


def _ingress(obj: Value) -> Health:
    try:
        addresses = optional_list(obj, "status", "loadBalancer", "ingress")
    except FieldTypeError:
        addresses = []
    return Health("Healthy" if addresses else "Progressing")


def _job(obj: Value) -> Health:
    """The last condition of each type counts, whatever its status (but for `Suspended`)."""
    messages: dict[str, str] = {}
    is_suspended = False
    for condition in _conditions(obj):
        name = optional_text(condition, "type")
        if name in ("Failed", "Complete", "Suspended"):
            messages["Failed" if name == "Failed" else "end"] = optional_text(condition, "message")
            is_true = name == "Suspended" and optional_text(condition, "status") == "True"
            is_suspended = is_suspended or is_true
    if not messages:
        return Health("Progressing")
    if "Failed" in messages:
        return Health("Degraded", messages["Failed"])
    return Health("Suspended") if is_suspended else Health("Healthy", messages["end"])


def _pod(obj: Value) -> Health:
    message = optional_text(obj, "status", "message")
    policy = optional_text(obj, "spec", "restartPolicy")
    containers = _statuses(obj, "containerStatuses")
    # A container that cannot start makes only a Pod Degraded that is always restarted.
    errors = [container for container in containers if policy == "Always" and _is_stuck(container)]
    if errors:
        reasons = (optional_text(container, "state", "waiting", "message") for container in errors)
        return Health("Degraded", ", ".join(reasons))
    match optional_text(obj, "status", "phase"):
        case "Failed":
            statuses = [*_statuses(obj, "initContainerStatuses"), *containers]
            failures = (failure for status in statuses if (failure := _failure(status)))
            return Health("Degraded", message or next(failures, ""))
        case "Running" if policy == "Always":
            return Health(_running_status(obj, containers), message)
        case "Running":
            is_finite = policy in ("OnFailure", "Never")
            return Health("Progressing" if is_finite else "Unknown", message)
        case phase:
            return Health(_POD.get(phase, "Unknown"), message)


def _running_status(obj: Value, containers: Sequence[Value]) -> str:
    ready = _condition(obj, "Ready")
    if ready is not None and optional_text(ready, "status") == "True":
        return "Healthy"
    has_ended = any(get(item, ("lastState", "terminated")) is not None for item in containers)
    return "Degraded" if has_ended else "Progressing"


def _statuses(obj: Value, name: str) -> Sequence[Value]:
    return [item for item in optional_list(obj, "status", name) if isinstance(item, dict)]


def _is_stuck(container: Value) -> bool:
    reason = optional_text(container, "state", "waiting", "reason")
    return reason.startswith("Err") or reason.endswith(("Error", "BackOff"))


def _failure(container: Value) -> str:
    """The message of a terminated container, or why it failed."""
    if message := optional_text(container, "state", "terminated", "message"):
        return message
    if optional_text(container, "state", "terminated", "reason") == "OOMKilled":
        return "OOMKilled"
    code = _count(container, "state", "terminated", "exitCode")
    name = optional_text(container, "name")
    return f'container "{name}" failed with exit code {code}' if code else ""


def _volume_claim(obj: Value) -> Health:
    return Health(_CLAIM.get(optional_text(obj, "status", "phase"), "Unknown"))


def _replica_set(obj: Value) -> Health:
    if _is_unobserved(obj):
        reason = "observed replica set generation less than desired generation"
        return Health("Progressing", f"{_ROLLOUT}{reason}")
    failure = _condition(obj, "ReplicaFailure")
    if failure is not None and optional_text(failure, "status") == "True":
        return Health("Degraded", optional_text(failure, "message"))
    replicas_wanted = optional_number(obj, "spec", "replicas")
    available = _count(obj, "status", "availableReplicas")
    if replicas_wanted is not None and available < replicas_wanted:
        progress = f"{available} out of {replicas_wanted} new replicas are available..."
        return Health("Progressing", f"{_ROLLOUT}{progress}")
    return Health("Healthy")


def _service(obj: Value) -> Health:
    is_balancer = optional_text(obj, "spec", "type") == "LoadBalancer"
    if is_balancer and not optional_list(obj, "status", "loadBalancer", "ingress"):
        return Health("Progressing")
    return Health("Healthy")


def _stateful_set(obj: Value) -> Health:
    if not _count(obj, "status", "observedGeneration") or _is_unobserved(obj):
        return Health("Progressing", "Waiting for statefulset spec update to be observed...")
    replicas = optional_number(obj, "spec", "replicas")
    ready = _count(obj, "status", "readyReplicas")
    if replicas is not None and ready < replicas:
        return Health("Progressing", f"Waiting for {replicas - ready} pods to be ready...")
    strategy = optional_text(obj, "spec", "updateStrategy", "type")
    if strategy == "OnDelete":
        return Health("Healthy", f"statefulset has {ready} ready pods")
    rolling = get(obj, ("spec", "updateStrategy", "rollingUpdate"))
    if strategy == "RollingUpdate" and rolling is not None:
        return _partition(obj, replicas)
    return _revisions(obj)


def _partition(obj: Value, replicas: int | None) -> Health:
    """A roll out to the pods above a partition; without one there is nothing to wait for."""
    partition = optional_number(obj, "spec", "updateStrategy", "rollingUpdate", "partition")
    count = _count(obj, "status", "updatedReplicas")
    if replicas is not None and partition is not None and count < replicas - partition:
        progress = f"{count} out of {replicas - partition} new pods have been updated..."
        return Health("Progressing", f"Waiting for partitioned roll out to finish: {progress}")
    end = f"partitioned roll out complete: {count} new pods have been updated..."
    return Health("Healthy", end)


def _revisions(obj: Value) -> Health:
    current, update = (
        optional_text(obj, "status", f"{key}Revision") for key in ("current", "update")
    )
    if current != update:
        count = _count(obj, "status", "updatedReplicas")
        progress = f"{count} pods at revision {update}..."
        return Health(
            "Progressing", f"waiting for statefulset rolling update to complete {progress}"
        )
    count = _count(obj, "status", "currentReplicas")
    end = f"statefulset rolling update complete {count} pods at revision {current}..."
    return Health("Healthy", end)


def _of_versions(rule: HealthRule, *versions: str) -> HealthRule:
    """A rule that refuses other versions of its kind (`unsupported ... GVK`)."""

    def checked(obj: Value) -> Health:
        version, kind = optional_text(obj, "apiVersion"), optional_text(obj, "kind")
        if version not in versions:
            raise FieldTypeError(f"unsupported {kind} GVK: {version}, Kind={kind}")
        return rule(obj)

    return checked


RULES: Mapping[str, HealthRule] = {
    "Deployment.apps": _of_versions(_deployment, "apps/v1"),
    "StatefulSet.apps": _of_versions(_stateful_set, "apps/v1"),
    "ReplicaSet.apps": _of_versions(_replica_set, "apps/v1"),
    "DaemonSet.apps": _of_versions(_daemon_set, "apps/v1"),
    "Ingress.extensions": _ingress,
    "Ingress.networking.k8s.io": _ingress,
    "Workflow.argoproj.io": _workflow,
    "APIService.apiregistration.k8s.io": _of_versions(
        _api_service, "apiregistration.k8s.io/v1", "apiregistration.k8s.io/v1beta1"
    ),
    "Service": _of_versions(_service, "v1"),
    "PersistentVolumeClaim": _of_versions(_volume_claim, "v1"),
    "Pod": _of_versions(_pod, "v1"),
    "Job.batch": _of_versions(_job, "batch/v1"),
    "HorizontalPodAutoscaler.autoscaling": _of_versions(
        _autoscaler, "autoscaling/v1", "autoscaling/v2"
    ),
}
"""`Kind.group` -> its rule (`GetHealthCheckFunc`)."""
