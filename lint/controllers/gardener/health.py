"""Whether one object is healthy: the first step of its kind that fails decides."""

from __future__ import annotations

from celvet.lint.controllers.gardener import steps
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, field, optional_text
from celvet.lint.verdicts.verdict import Verdict

_SKIP = "resources.gardener.cloud/skip-health-check"

_DEFINITION = (
    steps.condition_status("NamesAccepted", "True", required=True),
    steps.condition_status("Established", "True", required=True),
    steps.condition_status("Terminating", "False"),
)
_MONITORING = (steps.monitoring_available, steps.replicas("availableReplicas", "available"))
KINDS: dict[tuple[str, str], tuple[steps.CheckStep, ...]] = {
    ("apps/v1", "Deployment"): (
        steps.generation,
        steps.condition_status("Available", "True", required=True),
        steps.condition_status("Progressing", "True"),
        steps.condition_status("ReplicaFailure", "False"),
    ),
    ("apps/v1", "StatefulSet"): (steps.generation, steps.replicas("readyReplicas", "ready")),
    ("apps/v1", "DaemonSet"): (steps.generation, steps.scheduled_pods, steps.unavailable_pods),
    ("apps/v1", "ReplicaSet"): (steps.generation, steps.minimum_available("ReplicaSet")),
    ("v1", "ReplicationController"): (
        steps.generation,
        steps.minimum_available("ReplicationController"),
    ),
    ("v1", "Pod"): (steps.phase,),
    ("v1", "Service"): (steps.ingress,),
    ("batch/v1", "Job"): (steps.condition_status("Failed", "False"),),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"): _DEFINITION,
    ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"): _DEFINITION,
    ("monitoring.coreos.com/v1", "Prometheus"): _MONITORING,
    ("monitoring.coreos.com/v1", "Alertmanager"): _MONITORING,
    ("autoscaling.k8s.io/v1", "VerticalPodAutoscaler"): (
        steps.condition_status("ConfigUnsupported", "False"),
    ),
    ("cert.gardener.cloud/v1alpha1", "Certificate"): (
        steps.condition_status("Ready", "True"),
        steps.state_ready("certificate"),
    ),
    ("cert.gardener.cloud/v1alpha1", "Issuer"): (steps.state_ready("issuer"),),
    ("resources.gardener.cloud/v1alpha1", "ManagedResource"): (
        steps.managed_generation,
        steps.managed("ResourcesApplied"),
        steps.managed("ResourcesHealthy"),
    ),
}
"""apiVersion and kind -> the steps; Gardener checks only these versions."""


def check(obj: Value) -> Verdict:
    """Whether an object of a ManagedResource, or a ManagedResource itself, is healthy.

    `True`, or `False` with the reason in the message; `Unknown` with an error if the object does
    not decode. An object of a kind without a check, or annotated
    `resources.gardener.cloud/skip-health-check: "true"`, is healthy once it exists. Mirrors
    `CheckHealth` of Gardener's resource manager and, for a ManagedResource, `CheckManagedResource`
    of the health package.
    """
    try:
        message = None if _skipped(obj) else problem(obj)
    except FieldTypeError as error:
        return Verdict(status="Unknown", error=str(error))
    return Verdict(status="True") if message is None else Verdict(status="False", message=message)


def problem(obj: Value) -> str | None:
    """The fault of an object, or None; raises `FieldTypeError` if it does not decode."""
    check_steps = KINDS.get((optional_text(obj, "apiVersion"), optional_text(obj, "kind")), ())
    return next((message for step in check_steps if (message := step(obj))), None)


def _skipped(obj: Value) -> bool:
    is_exempt = field(obj, "metadata", "annotations", _SKIP) == "true"
    return is_exempt and optional_text(obj, "kind") != "ManagedResource"
