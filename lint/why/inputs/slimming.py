"""What is kept of objects that are read: a report on a large cluster needs few of their fields."""

from __future__ import annotations

from celvet.lint.model import GroupKind
from celvet.lint.values import get, mapping_at, object_ref_of, text_at
from celvet.lint.why.inputs.api import JsonObject
from celvet.lint.why.roots.workload import is_ready_pod
from celvet.schemas.kind_files import is_built_in
from celvet.schemas.live.outlook import pod_outlooks

_POD = GroupKind("", "Pod")
_CONTENT = ("data", "binaryData")
_POD_FIELDS = ("volumes", "nodeName")
"""The fields of a pod's `spec` that its reasons name."""

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""Holds a copy of the whole object, as `kubectl apply` leaves it."""


def slim(obj: JsonObject, *, covered: bool) -> JsonObject:
    """An object of a built-in kind without what neither kstatus nor a reason of its pods reads.

    Any other, and one that an expression covers, is whole but for who manages its fields.
    """
    metadata = {**obj["metadata"]}
    metadata.pop("managedFields", None)
    slim_object = {**obj, "metadata": metadata}
    kind = object_ref_of(obj).group_kind
    if covered or not is_built_in(kind.group, kind.kind):
        return slim_object
    if annotations := metadata.get("annotations"):
        metadata["annotations"] = {
            name: text for name, text in annotations.items() if name != _LAST_APPLIED
        }
    spec = mapping_at(obj, ("spec",))
    if "containers" in spec:
        slim_object["spec"] = {name: spec[name] for name in _POD_FIELDS if name in spec}
    elif "template" in spec:
        slim_object["spec"] = {name: value for name, value in spec.items() if name != "template"}
    return {name: value for name, value in slim_object.items() if name not in _CONTENT}


def explains(obj: JsonObject) -> bool:
    """Whether an object behind a workload may say why it is not ready.

    A ready pod does not, nor a ReplicaSet of an old revision, which has no pods.
    """
    if "reason" in obj and "involvedObject" in obj:
        return _counts(obj)
    if "containerStatuses" in mapping_at(obj, ("status",)):
        return not is_ready_pod(obj)
    replicas = get(obj, ("spec", "replicas"))
    return replicas is None or bool(replicas)


def _counts(event: JsonObject) -> bool:
    """Whether an Event is about a pod's trouble or its end, a warning, or about a custom kind."""
    outlooks = pod_outlooks()
    reason = text_at(event, ("reason",))
    target = object_ref_of({**mapping_at(event, ("involvedObject",)), "metadata": {}}).group_kind
    is_reason = any(reason in outlooks[group] for group in ("events", "autoscaling"))
    is_reason |= reason in outlooks["ended"].values()
    warns = event.get("type") == "Warning" and target != _POD
    return is_reason or warns or not is_built_in(target.group, target.kind)
