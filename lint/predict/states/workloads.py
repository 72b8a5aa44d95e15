"""The status of Kubernetes' own workloads: its fields, and the counters left out at 0.

Read off the JSON tags of `k8s.io/api` v0.36 (`apps/v1`, `batch/v1`, `core/v1`) and of
`apiextensions/v1`. Custom resources are assumed to write their counters.
"""

from __future__ import annotations

from celvet.lint.model import GroupKind
from celvet.lint.predict.reads.reading import Reading

_WRITTEN = {
    "DaemonSet": {
        "currentNumberScheduled",
        "desiredNumberScheduled",
        "numberMisscheduled",
        "numberReady",
    },
    "Deployment": set[str](),
    "ReplicaSet": {"replicas"},
    "StatefulSet": {"replicas", "availableReplicas"},
}
"""Kind of the group `apps` -> the counters of its status that are there even at 0."""


def leaves_out_zero(kind: GroupKind) -> bool:
    """Whether some counters in the status of a kind are left out at 0."""
    return kind.group == "apps" and kind.kind in _WRITTEN


def keeps_zero(kind: GroupKind, reading: Reading) -> bool:
    """Whether every counter that is read can be met with the value 0."""
    written_fields = _WRITTEN[kind.kind] if leaves_out_zero(kind) else None
    return written_fields is None or all(
        path[1] in written_fields
        for path in reading.fields
        if len(path) == 2 and path[0] == "status"
    )


_FIELDS = {
    ("apps", "deployment"): "availableReplicas collisionCount conditions observedGeneration"
    " readyReplicas replicas terminatingReplicas unavailableReplicas updatedReplicas",
    ("apps", "daemonset"): "collisionCount conditions currentNumberScheduled"
    " desiredNumberScheduled numberAvailable numberMisscheduled numberReady numberUnavailable"
    " observedGeneration updatedNumberScheduled",
    ("apps", "statefulset"): "availableReplicas collisionCount conditions currentReplicas"
    " currentRevision observedGeneration readyReplicas replicas updateRevision updatedReplicas",
    ("apps", "replicaset"): "availableReplicas conditions fullyLabeledReplicas observedGeneration"
    " readyReplicas replicas terminatingReplicas",
    ("batch", "job"): "active completedIndexes completionTime conditions failed failedIndexes"
    " ready startTime succeeded terminating uncountedTerminatedPods",
    ("", "service"): "conditions loadBalancer",
    ("", "namespace"): "conditions phase",
    ("apiextensions.k8s.io", "customresourcedefinition"): "acceptedNames conditions"
    " observedGeneration storedVersions",
}


def status_fields(group: str, kind: str) -> frozenset[str]:
    """The fields of a kind's status, ignoring the case of the kind; empty for an unknown kind."""
    return frozenset(_FIELDS.get((group, kind.casefold()), "").split())
