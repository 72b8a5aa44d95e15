"""The kinds of Kubernetes' core group.

Read in `core/v1/register.go` of `k8s.io/api` v0.36.
"""

from __future__ import annotations

CORE_KINDS = frozenset(
    {
        *("Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange"),
        *("Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod"),
        *("PodTemplate", "ReplicationController", "ResourceQuota", "Secret", "Service"),
        "ServiceAccount",
    }
)
