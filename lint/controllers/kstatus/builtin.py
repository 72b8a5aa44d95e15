"""The rule of each built-in kind; `core.go` of kstatus calls them legacy types."""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.controllers.kstatus.conditions import KstatusCondition, conditions_of
from celvet.lint.controllers.kstatus.pod import pod
from celvet.lint.controllers.kstatus.result import current, failed, in_progress
from celvet.lint.controllers.kstatus.workloads import (
    daemon_set,
    deployment,
    replica_set,
    stateful_set,
)
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import integer_or, text_or
from celvet.lint.verdicts.verdict import Verdict

KindRule = Callable[[Value], Verdict]


def job(obj: Value) -> Verdict:
    """How it ended, else whether it started."""
    if ended := job_ended(obj):
        return ended
    if not text_or("", obj, "status", "startTime"):
        return in_progress("JobNotStarted", "Job not started")
    return current(job_progress(obj))


def job_ended(obj: Value) -> Verdict | None:
    """`Complete` or `Failed`, whichever is the first that is true."""
    for condition in conditions_of(obj):
        if condition.status == "True" and condition.type in ("Complete", "Failed"):
            return _ended(obj, condition.type)
    return None


def job_progress(obj: Value) -> str:
    """How many pods of a Job have come how far."""
    succeeded, active, lost = (_counted(obj, key) for key in ("succeeded", "active", "failed"))
    return f"Job in progress. success:{succeeded}, active: {active}, failed: {lost}"


def _volume_claim(obj: Value) -> Verdict:
    """Bound or not."""
    phase = text_or("unknown", obj, "status", "phase")
    if phase == "Bound":
        return current("PVC is Bound")
    return in_progress("NotBound", f"PVC is not Bound. phase: {phase}")


def service(obj: Value) -> Verdict:
    """A load balancer needs a cluster IP; its ingress is not looked at."""
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


def _counted(obj: Value, name: str) -> int:
    return integer_or(0, obj, "status", name)


def _definition(condition: KstatusCondition) -> Verdict | None:
    refused = (condition.type, condition.status) == ("NamesAccepted", "False")
    not_established = (condition.type, condition.status) == ("Established", "False")
    if refused or (not_established and condition.reason != "Installing"):
        return failed(condition.reason, condition.message)
    if (condition.type, condition.status) == ("Established", "True"):
        return current("CRD is established")
    return None


RULES: dict[str, KindRule] = {
    "Service": service,
    "Pod": pod,
    "Secret": _always_ready,
    "ConfigMap": _always_ready,
    "PersistentVolumeClaim": _volume_claim,
    "apps/StatefulSet": stateful_set,
    "apps/DaemonSet": daemon_set,
    "apps/Deployment": deployment,
    "apps/ReplicaSet": replica_set,
    "extensions/DaemonSet": daemon_set,
    "extensions/Deployment": deployment,
    "extensions/ReplicaSet": replica_set,
    "policy/PodDisruptionBudget": _disruption_budget,
    "batch/CronJob": _always_ready,
    "batch/Job": job,
    "apiextensions.k8s.io/CustomResourceDefinition": _custom_resource_definition,
}
"""`group/Kind`, `Kind` in the core group -> the rule; the version does not matter."""
