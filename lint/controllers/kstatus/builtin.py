"""The rule of each built-in kind; `core.go` of kstatus calls them legacy types."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from celvet.lint.controllers.kstatus.conditions import KstatusCondition, conditions_of, find
from celvet.lint.controllers.kstatus.generic import generation_verdict
from celvet.lint.controllers.kstatus.pod import pod
from celvet.lint.controllers.kstatus.result import current_verdict, failed_verdict, progress_verdict
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import integer_or, text_or
from celvet.lint.verdicts.verdict import Verdict

KindRule = Callable[[Value], Verdict]
_Shortage = Callable[[Value], Verdict | None]

_NO_DEADLINE = 2**31 - 1
_SCHEDULED = "desiredNumberScheduled"


def _job(obj: Value) -> Verdict:
    """The verdict on a Job: how it ended, or whether it has started."""
    if verdict := job_end(obj):
        return verdict
    if not text_or("", obj, "status", "startTime"):
        return progress_verdict("JobNotStarted", "Job not started")
    return current_verdict(job_progress(obj))


def job_end(obj: Value) -> Verdict | None:
    """The first condition `Complete` or `Failed` that is true."""
    for condition in conditions_of(obj):
        if condition.status == "True" and condition.type in ("Complete", "Failed"):
            return _end_verdict(obj, condition.type)
    return None


def job_progress(obj: Value) -> str:
    """The number of pods of a Job in each state."""
    successes, active, failures = (
        _status_count(obj, key) for key in ("succeeded", "active", "failed")
    )
    return f"Job in progress. success:{successes}, active: {active}, failed: {failures}"


def _volume_claim(obj: Value) -> Verdict:
    """The verdict on a PersistentVolumeClaim: whether it is bound."""
    phase = text_or("unknown", obj, "status", "phase")
    if phase == "Bound":
        return current_verdict("PVC is Bound")
    return progress_verdict("NotBound", f"PVC is not Bound. phase: {phase}")


def _service(obj: Value) -> Verdict:
    """A load balancer needs a cluster IP; its ingress does not matter."""
    has_balancer = text_or("ClusterIP", obj, "spec", "type") == "LoadBalancer"
    if has_balancer and not text_or("", obj, "spec", "clusterIP"):
        return progress_verdict("NoIPAssigned", "ClusterIP not set. Service type: LoadBalancer")
    return current_verdict("Service is ready")


def _custom_resource_definition(obj: Value) -> Verdict:
    """The first of its conditions that decides."""
    verdicts = map(_definition, conditions_of(obj))
    verdict = next((verdict for verdict in verdicts if verdict), None)
    return verdict or progress_verdict("Installing", "Install in progress")


def _always_ready(_: Value) -> Verdict:
    return current_verdict("Resource is always ready")


def _disruption_budget(_: Value) -> Verdict:
    return current_verdict("AllowedDisruptions has been computed.")


def _end_verdict(obj: Value, condition_type: str) -> Verdict:
    parallelism = integer_or(1, obj, "spec", "parallelism")
    completions = integer_or(parallelism, obj, "spec", "completions")
    if condition_type == "Complete":
        return current_verdict(
            f"Job Completed. succeeded: {_status_count(obj, 'succeeded')}/{completions}"
        )
    return failed_verdict(
        "JobFailed", f"Job Failed. failed: {_status_count(obj, 'failed')}/{completions}"
    )


def _definition(condition: KstatusCondition) -> Verdict | None:
    names_refused = (condition.type, condition.status) == ("NamesAccepted", "False")
    not_established = (condition.type, condition.status) == ("Established", "False")
    if names_refused or (not_established and condition.reason != "Installing"):
        return failed_verdict(condition.reason, condition.message)
    if (condition.type, condition.status) == ("Established", "True"):
        return current_verdict("CRD is established")
    return None


def _deployment(obj: Value) -> Verdict:
    """The deadline first, then the counts, then the conditions."""
    return _first(_DEPLOYMENT, obj) or current_verdict(
        f"Deployment is available. Replicas: {_status_count(obj, 'replicas')}"
    )


def _stateful_set(obj: Value) -> Verdict:
    """The counts and revisions, for the controller sets no condition."""
    return _first(_STATEFUL_SET, obj) or _all_scheduled(_status_count(obj, "replicas"))


def _replica_set(obj: Value) -> Verdict:
    """The condition `ReplicaFailure` first, then the counts."""
    return _first(_REPLICA_SET, obj) or current_verdict(
        f"ReplicaSet is available. Replicas: {_status_count(obj, 'replicas')}"
    )


def _daemon_set(obj: Value) -> Verdict:
    """The counts of nodes, once both generations are known."""
    return _first(_DAEMON_SET, obj) or _all_scheduled(_status_count(obj, _SCHEDULED))


def _first(steps: Iterable[_Shortage], obj: Value) -> Verdict | None:
    return next((verdict for step in steps if (verdict := step(obj))), None)


def _all_scheduled(count: int) -> Verdict:
    return current_verdict(f"All replicas scheduled as expected. Replicas: {count}")


def _status_count(obj: Value, name: str, default: int = 0) -> int:
    return integer_or(default, obj, "status", name)


def _replicas(obj: Value) -> int:
    return integer_or(1, obj, "spec", "replicas")


def _shortage(reason: str, label: str, have: str, want: str = "") -> _Shortage:
    """A step that stops where the count `have` of the status is below `want`.

    Without `want` it is `spec.replicas`.
    """

    def step(obj: Value) -> Verdict | None:
        has, wants = _status_count(obj, have), _status_count(obj, want) if want else _replicas(obj)
        return progress_verdict(reason, f"{label}: {has}/{wants}") if wants > has else None

    return step


def _surplus(obj: Value) -> Verdict | None:
    extra = _status_count(obj, "replicas") - _replicas(obj)
    return progress_verdict("ExtraPods", f"Pending termination: {extra}") if extra > 0 else None


def _deadline_exceeded(obj: Value) -> Verdict | None:
    for condition in conditions_of(obj):
        if condition.type == "Progressing" and condition.reason == "ProgressDeadlineExceeded":
            return failed_verdict(condition.reason, "Progress deadline exceeded")
    return None


def _rolling_out(obj: Value) -> Verdict | None:
    """Without a deadline the controller sets no condition to wait for."""
    if integer_or(_NO_DEADLINE, obj, "spec", "progressDeadlineSeconds") == _NO_DEADLINE:
        return None
    end = ("Progressing", "True", "NewReplicaSetAvailable")
    if any((item.type, item.status, item.reason) == end for item in conditions_of(obj)):
        return None
    return progress_verdict("ReplicaSetNotAvailable", "ReplicaSet not Available")


def _unavailable(obj: Value) -> Verdict | None:
    if find(conditions_of(obj), "Available", "True"):
        return None
    return progress_verdict("DeploymentNotAvailable", "Deployment not Available")


def _replica_failure(obj: Value) -> Verdict | None:
    if find(conditions_of(obj), "ReplicaFailure", "True"):
        return progress_verdict("ReplicaFailure", "Replica Failure condition. Check Pods")
    return None


def _on_delete(obj: Value) -> Verdict | None:
    if text_or("", obj, "spec", "updateStrategy", "type") != "OnDelete":
        return None
    return current_verdict("StatefulSet is using the ondelete update strategy")


def _partition(obj: Value) -> Verdict | None:
    partition = integer_or(-1, obj, "spec", "updateStrategy", "rollingUpdate", "partition")
    if partition == -1:
        return None
    updated_pods, target = _status_count(obj, "updatedReplicas"), _replicas(obj) - partition
    if updated_pods < target:
        return progress_verdict("PartitionRollout", f"updated: {updated_pods}/{target}")
    return current_verdict(f"Partition rollout complete. updated: {updated_pods}")


def _revisions_differ(obj: Value) -> Verdict | None:
    if text_or("", obj, "status", "currentRevision") == text_or(
        "", obj, "status", "updateRevision"
    ):
        return None
    return progress_verdict("RevisionMismatch", "Waiting for updated revision to match current")


def _nothing_desired(obj: Value) -> Verdict | None:
    if _status_count(obj, _SCHEDULED, -1) != -1:
        return None
    return progress_verdict("NoDesiredNumber", f"Missing .status.{_SCHEDULED}")


_DEPLOYMENT: tuple[_Shortage, ...] = (
    _deadline_exceeded,
    _shortage("LessReplicas", "Replicas", "replicas"),
    _shortage("LessUpdated", "Updated", "updatedReplicas"),
    _surplus,
    _shortage("LessAvailable", "Available", "availableReplicas", "updatedReplicas"),
    _shortage("LessReady", "Ready", "readyReplicas"),
    _rolling_out,
    _unavailable,
)
_STATEFUL_SET: tuple[_Shortage, ...] = (
    _on_delete,
    _shortage("LessReplicas", "Replicas", "replicas"),
    _shortage("LessReady", "Ready", "readyReplicas"),
    _surplus,
    _partition,
    _shortage("LessCurrent", "current", "currentReplicas"),
    _revisions_differ,
)
_REPLICA_SET: tuple[_Shortage, ...] = (
    _replica_failure,
    _shortage("LessLabelled", "Labelled", "fullyLabeledReplicas"),
    _shortage("LessAvailable", "Available", "availableReplicas"),
    _shortage("LessReady", "Ready", "readyReplicas"),
    _surplus,
)
_DAEMON_SET: tuple[_Shortage, ...] = (
    generation_verdict,
    _nothing_desired,
    _shortage("LessCurrent", "Current", "currentNumberScheduled", _SCHEDULED),
    _shortage("LessUpdated", "Updated", "updatedNumberScheduled", _SCHEDULED),
    _shortage("LessAvailable", "Available", "numberAvailable", _SCHEDULED),
    _shortage("LessReady", "Ready", "numberReady", _SCHEDULED),
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
