"""The steps of a check, each for one aspect of an object.

Mirrors `pkg/utils/kubernetes/health` of Gardener (v1.149), in its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from celvet.lint.controllers.gardener.objects import GardenerCondition, condition, count
from celvet.lint.go.quoting import quote
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import field, optional_list, optional_number, optional_text
from celvet.regex import regex

CheckStep = Callable[[Value], str | None]
"""Finds the fault of an object in one aspect, or None.

Raises `FieldTypeError` for an object that does not decode.
"""

_PERCENTAGE = regex(r"([+-]?\d{1,18})%", re.ASCII)


def generation(obj: Value) -> str | None:
    """The controller has not seen the present generation yet."""
    return _behind(obj, count(obj, "observedGeneration"))


def condition_status(kind: str, status: str, *, required: bool = False) -> CheckStep:
    """The condition of the type has another status, or is missing though `required`."""

    def step(obj: Value) -> str | None:
        item = condition(obj, kind)
        if item is None:
            return f"condition {quote(kind)} is missing" if required else None
        return _other_status(item, status)

    return step


def monitoring_available(obj: Value) -> str | None:
    """The condition `Available` of the Prometheus operator, with its own generation."""
    item = condition(obj, "Available")
    if item is None:
        return 'condition "Available" is missing'
    observed_generation = optional_number(item.value, "observedGeneration") or 0
    return _behind(obj, observed_generation) or _other_status(item, "True")


def replicas(name: str, adjective: str) -> CheckStep:
    """The count of the status is below `spec.replicas`, which is 1 unless set."""

    def step(obj: Value) -> str | None:
        target = optional_number(obj, "spec", "replicas")
        target = 1 if target is None else target
        number_of_pods = count(obj, name)
        return (
            f"not enough {adjective} replicas ({number_of_pods}/{target})"
            if number_of_pods < target
            else None
        )

    return step


def minimum_available(kind: str) -> CheckStep:
    """Fewer pods are ready than `spec.replicas`, if that is set."""

    def step(obj: Value) -> str | None:
        target = optional_number(obj, "spec", "replicas")
        if target is None or count(obj, "readyReplicas") >= target:
            return None
        return f"{kind} does not have minimum availability"

    return step


def state_ready(kind: str) -> CheckStep:
    """The state of a Certificate or Issuer is not Ready."""

    def step(obj: Value) -> str | None:
        state = optional_text(obj, "status", "state")
        return None if state == "Ready" else f'{kind} state is {quote(state)} ("Ready" expected)'

    return step


def phase(obj: Value) -> str | None:
    """The pod neither runs nor has succeeded."""
    pod_phase = optional_text(obj, "status", "phase")
    if pod_phase in ("Running", "Succeeded"):
        return None
    return f'pod is in invalid phase {quote(pod_phase)} (expected one of ["Running" "Succeeded"])'


def ingress(obj: Value) -> str | None:
    """The load balancer has no address."""
    has_balancer = optional_text(obj, "spec", "type") == "LoadBalancer"
    if not has_balancer or optional_list(obj, "status", "loadBalancer", "ingress"):
        return None
    return "service is missing ingress status"


def scheduled_pods(obj: Value) -> str | None:
    """Pods of a DaemonSet are missing, or on the wrong nodes."""
    current, target = count(obj, "currentNumberScheduled"), count(obj, "desiredNumberScheduled")
    misplaced_pods = count(obj, "numberMisscheduled")
    if current < target:
        return f"not enough scheduled pods ({current}/{target})"
    return f"misscheduled pods found ({misplaced_pods})" if misplaced_pods > 0 else None


def unavailable_pods(obj: Value) -> str | None:
    """More pods of a DaemonSet are unavailable than its rollout allows."""
    missing, current = count(obj, "numberUnavailable"), count(obj, "currentNumberScheduled")
    rolling_out = count(obj, "updatedNumberScheduled") < count(obj, "desiredNumberScheduled")
    most_unavailable = _max_unavailable(obj) if rolling_out else 0
    if missing <= most_unavailable:
        return None
    limit = f", only max. {most_unavailable} unavailable pods allowed" if rolling_out else ""
    return f"too many unavailable pods found ({missing}/{current}{limit})"


def managed_generation(obj: Value) -> str | None:
    """The resource manager has seen another generation of a ManagedResource."""
    observed_generation, generation = (
        count(obj, "observedGeneration"),
        optional_number(obj, "metadata", "generation") or 0,
    )
    if observed_generation == generation:
        return None
    numbers = f"({observed_generation}/{generation})"
    return f"observed generation of managed resource {_key(obj)} outdated {numbers}"


def managed(kind: str) -> CheckStep:
    """The condition of a ManagedResource is missing or not true."""

    def step(obj: Value) -> str | None:
        item = condition(obj, kind)
        if item is None:
            return f"condition {kind} for managed resource {_key(obj)} has not been reported yet"
        if item.status == "True":
            return None
        state = f"{item.status}: {item.message}"
        return f"condition {kind} of managed resource {_key(obj)} is {state}"

    return step


def _key(obj: Value) -> str:
    return f"{optional_text(obj, 'metadata', 'namespace')}/{optional_text(obj, 'metadata', 'name')}"


def _behind(obj: Value, observed: int) -> str | None:
    generation = optional_number(obj, "metadata", "generation") or 0
    if observed >= generation:
        return None
    return f"observed generation outdated ({observed}/{generation})"


def _other_status(item: GardenerCondition, status: str) -> str | None:
    if item.status == status:
        return None
    states = f"{item.status} (expected {status})"
    because = f"due to {item.reason}: {item.message}"
    return f"condition {quote(item.type)} has invalid status {states} {because}"


def _max_unavailable(obj: Value) -> int:
    """Pods that a rolling update may leave unavailable; a percentage is rounded down."""
    strategy = ("spec", "updateStrategy")
    target = count(obj, "desiredNumberScheduled")
    if target == 0 or optional_text(obj, *strategy, "type") != "RollingUpdate":
        return 0
    path = (*strategy, "rollingUpdate", "maxUnavailable")
    value = field(obj, *path)
    if isinstance(value, str):
        match = _PERCENTAGE.fullmatch(value)
        return int(match[1]) * target // 100 if match else 0
    return optional_number(obj, *path) or 0
