"""The rule of each built-in kind; `core.go` of kstatus calls them legacy types."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from celvet.lint.controllers.kstatus.conditions import KstatusCondition, conditions_of, find
from celvet.lint.controllers.kstatus.generic import generation_verdict
from celvet.lint.controllers.kstatus.pod import pod
from celvet.lint.controllers.kstatus.result import current, failed, in_progress
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import integer_or, text_or
from celvet.lint.verdicts.verdict import Verdict

KindRule = Callable[[Value], Verdict]
_Shortage = Callable[[Value], Verdict | None]

_NO_DEADLINE = 2**31 - 1
_SCHEDULED = "desiredNumberScheduled"


def _job(obj: Value) -> Verdict:
    """How the Job ended, or whether it has started."""
    if ended := job_ended(obj):
        return ended
    if not text_or("", obj, "status", "startTime"):
        return in_progress("JobNotStarted", "Job not started")
    return current(job_progress(obj))


def job_ended(obj: Value) -> Verdict | None:
    """The first condition `Complete` or `Failed` that is true."""
    for condition in conditions_of(obj):
        if condition.status == "True" and condition.type in ("Complete", "Failed"):
            return _ended(obj, condition.type)
    return None


def job_progress(obj: Value) -> str:
    """The number of pods of a Job in each state."""
    succeeded, active, lost = (_counted(obj, key) for key in ("succeeded", "active", "failed"))
    return f"Job in progress. success:{succeeded}, active: {active}, failed: {lost}"


def _volume_claim(obj: Value) -> Verdict:
    """Bound or not."""
    phase = text_or("unknown", obj, "status", "phase")
    if phase == "Bound":
        return current("PVC is Bound")
    return in_progress("NotBound", f"PVC is not Bound. phase: {phase}")


def _service(obj: Value) -> Verdict:
    """A load balancer needs a cluster IP; its ingress does not matter."""
    balanced = text_or("ClusterIP", obj, "spec", "type") == "LoadBalancer"
    if balanced and not text_or("", obj, "spec", "clusterIP"):
        return in_progress("NoIPAssigned", "ClusterIP not set. Service type: LoadBalancer")
    return current("Service is ready")


def _custom_resource_definition(obj: Value) -> Verdict:
    """The first of its conditions that decides."""
    verdicts = map(_definition, conditions_of(obj))
    decided = next((verdict for verdict in verdicts if verdict), None)
    return decided or in_progress("Installing", "Install in progress")


def _always_ready(_: Value) -> Verdict:
    return current("Resource is always ready")


def _disruption_budget(_: Value) -> Verdict:
    return current("AllowedDisruptions has been computed.")


def _ended(obj: Value, how: str) -> Verdict:
    parallelism = integer_or(1, obj, "spec", "parallelism")
    completions = integer_or(parallelism, obj, "spec", "completions")
    if how == "Complete":
        return current(f"Job Completed. succeeded: {_counted(obj, 'succeeded')}/{completions}")
    return failed("JobFailed", f"Job Failed. failed: {_counted(obj, 'failed')}/{completions}")


def _definition(condition: KstatusCondition) -> Verdict | None:
    refused = (condition.type, condition.status) == ("NamesAccepted", "False")
    not_established = (condition.type, condition.status) == ("Established", "False")
    if refused or (not_established and condition.reason != "Installing"):
        return failed(condition.reason, condition.message)
    if (condition.type, condition.status) == ("Established", "True"):
        return current("CRD is established")
    return None


def _deployment(obj: Value) -> Verdict:
    """The deadline first, then the counts, then the conditions."""
    return _first(_DEPLOYMENT, obj) or current(
        f"Deployment is available. Replicas: {_counted(obj, 'replicas')}"
    )


def _stateful_set(obj: Value) -> Verdict:
    """The counts and revisions, for the controller sets no condition."""
    return _first(_STATEFUL_SET, obj) or _all_scheduled(_counted(obj, "replicas"))


def _replica_set(obj: Value) -> Verdict:
    """The condition `ReplicaFailure` first, then the counts."""
    return _first(_REPLICA_SET, obj) or current(
        f"ReplicaSet is available. Replicas: {_counted(obj, 'replicas')}"
    )


def _daemon_set(obj: Value) -> Verdict:
    """The counts of nodes, once both generations are known."""
    return _first(_DAEMON_SET, obj) or _all_scheduled(_counted(obj, _SCHEDULED))


def _first(steps: Iterable[_Shortage], obj: Value) -> Verdict | None:
    return next((verdict for step in steps if (verdict := step(obj))), None)


def _all_scheduled(count: int) -> Verdict:
    return current(f"All replicas scheduled as expected. Replicas: {count}")


def _counted(obj: Value, name: str, default: int = 0) -> int:
    return integer_or(default, obj, "status", name)


def _replicas(obj: Value) -> int:
    return integer_or(1, obj, "spec", "replicas")


def _short(reason: str, label: str, have: str, want: str = "") -> _Shortage:
    """A step that stops where the count `have` of the status is below `want`.

    Without `want` it is `spec.replicas`.
    """

    def step(obj: Value) -> Verdict | None:
        has, wants = _counted(obj, have), _counted(obj, want) if want else _replicas(obj)
        return in_progress(reason, f"{label}: {has}/{wants}") if wants > has else None

    return step


def _extra(obj: Value) -> Verdict | None:
    extra = _counted(obj, "replicas") - _replicas(obj)
    return in_progress("ExtraPods", f"Pending termination: {extra}") if extra > 0 else None


def _deadline_exceeded(obj: Value) -> Verdict | None:
    for condition in conditions_of(obj):
        if condition.type == "Progressing" and condition.reason == "ProgressDeadlineExceeded":
            return failed(condition.reason, "Progress deadline exceeded")
    return None


def _rolling_out(obj: Value) -> Verdict | None:
    """Without a deadline the controller sets no condition to wait for."""
    if integer_or(_NO_DEADLINE, obj, "spec", "progressDeadlineSeconds") == _NO_DEADLINE:
        return None
    done = ("Progressing", "True", "NewReplicaSetAvailable")
    if any((item.type, item.status, item.reason) == done for item in conditions_of(obj)):
        return None
    return in_progress("ReplicaSetNotAvailable", "ReplicaSet not Available")


def _unavailable(obj: Value) -> Verdict | None:
    if find(conditions_of(obj), "Available", "True"):
        return None
    return in_progress("DeploymentNotAvailable", "Deployment not Available")


def _replica_failure(obj: Value) -> Verdict | None:
    if find(conditions_of(obj), "ReplicaFailure", "True"):
        return in_progress("ReplicaFailure", "Replica Failure condition. Check Pods")
    return None


def _on_delete(obj: Value) -> Verdict | None:
    if text_or("", obj, "spec", "updateStrategy", "type") != "OnDelete":
        return None
    return current("StatefulSet is using the ondelete update strategy")


def _partition(obj: Value) -> Verdict | None:
    partition = integer_or(-1, obj, "spec", "updateStrategy", "rollingUpdate", "partition")
    if partition == -1:
        return None
    updated, wanted = _counted(obj, "updatedReplicas"), _replicas(obj) - partition
    if updated < wanted:
        return in_progress("PartitionRollout", f"updated: {updated}/{wanted}")
    return current(f"Partition rollout complete. updated: {updated}")


def _revisions_differ(obj: Value) -> Verdict | None:
    if text_or("", obj, "status", "currentRevision") == text_or(
        "", obj, "status", "updateRevision"
    ):
        return None
    return in_progress("RevisionMismatch", "Waiting for updated revision to match current")


def _nothing_desired(obj: Value) -> Verdict | None:
    if _counted(obj, _SCHEDULED, -1) != -1:
        return None
    return in_progress("NoDesiredNumber", f"Missing .status.{_SCHEDULED}")


_DEPLOYMENT: tuple[_Shortage, ...] = (
    _deadline_exceeded,
    _short("LessReplicas", "Replicas", "replicas"),
    _short("LessUpdated", "Updated", "updatedReplicas"),
    _extra,
    _short("LessAvailable", "Available", "availableReplicas", "updatedReplicas"),
    _short("LessReady", "Ready", "readyReplicas"),
    _rolling_out,
    _unavailable,
)
_STATEFUL_SET: tuple[_Shortage, ...] = (
    _on_delete,
    _short("LessReplicas", "Replicas", "replicas"),
    _short("LessReady", "Ready", "readyReplicas"),
    _extra,
    _partition,
    _short("LessCurrent", "current", "currentReplicas"),
    _revisions_differ,
)
_REPLICA_SET: tuple[_Shortage, ...] = (
    _replica_failure,
    _short("LessLabelled", "Labelled", "fullyLabeledReplicas"),
    _short("LessAvailable", "Available", "availableReplicas"),
    _short("LessReady", "Ready", "readyReplicas"),
    _extra,
)
_DAEMON_SET: tuple[_Shortage, ...] = (
    generation_verdict,
    _nothing_desired,
    _short("LessCurrent", "Current", "currentNumberScheduled", _SCHEDULED),
    _short("LessUpdated", "Updated", "updatedNumberScheduled", _SCHEDULED),
    _short("LessAvailable", "Available", "numberAvailable", _SCHEDULED),
    _short("LessReady", "Ready", "numberReady", _SCHEDULED),
)

RULES: dict[str, KindRule] = {
    "Service": _service,
    "Pod": pod,
    "Secret": _always_ready,
    "ConfigMap": _always_ready,
    "PersistentVolumeClaim": _volume_claim,
    "apps/StatefulSet": _stateful_set,
    "apps/DaemonSet": _daemon_set,
    "apps/Deployment": _deployment,
    "apps/ReplicaSet": _replica_set,
    "extensions/DaemonSet": _daemon_set,
    "extensions/Deployment": _deployment,
    "extensions/ReplicaSet": _replica_set,
    "policy/PodDisruptionBudget": _disruption_budget,
    "batch/CronJob": _always_ready,
    "batch/Job": _job,
    "apiextensions.k8s.io/CustomResourceDefinition": _custom_resource_definition,
}
"""`group/Kind`, `Kind` in the core group -> the rule; the version does not matter."""
