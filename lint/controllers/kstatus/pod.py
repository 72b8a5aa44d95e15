"""Pods: by phase, with crash loops and the scheduler's refusal as failures.

Mirrors `podConditions` and `getCrashLoopingContainers` of `core.go`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from celvet.lint.controllers.kstatus.conditions import KstatusCondition, conditions_of, find
from celvet.lint.controllers.kstatus.result import current, failed, in_progress
from celvet.lint.jsonpath.eval.values import type_name
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, list_field, text_or, timestamp
from celvet.lint.verdicts.verdict import Verdict

_SCHEDULE_WINDOW = timedelta(seconds=15)
"""How long a pod may be unschedulable before it counts as failed."""


def pod(obj: Value, now: datetime | None = None) -> Verdict:
    """The verdict of its phase; `now` matters to a pod that cannot be scheduled.

    Raises `FieldTypeError` where kstatus returns an error or panics.
    """
    conditions = conditions_of(obj)
    phase = text_or("", obj, "status", "phase")
    if phase == "Running":
        return _running(obj, conditions)
    if phase == "Pending":
        return _pending(obj, conditions, now)
    return _SETTLED.get(phase) or Verdict(status="Unknown", error=f"unknown phase {phase}")


_SETTLED = {
    "": in_progress("PodNotObserved", "Pod phase not available"),
    "Succeeded": current("Pod has completed successfully"),
    "Failed": current("Pod has completed, but not successfully"),
}


def _running(obj: Value, conditions: tuple[KstatusCondition, ...]) -> Verdict:
    if find(conditions, "Ready", "True"):
        return current("Pod is Ready")
    looping = list(_crash_looping(obj))
    if looping:
        message = f"Containers in CrashLoop state: {','.join(looping)}"
        return failed("ContainerCrashLooping", message)
    return in_progress("PodRunningNotReady", "Pod is running but is not Ready")


def _pending(obj: Value, conditions: tuple[KstatusCondition, ...], now: datetime | None) -> Verdict:
    scheduled = find(conditions, "PodScheduled", "False")
    if scheduled is None or scheduled.reason != "Unschedulable":
        return in_progress("PodPending", "Pod is in the Pending phase")
    created = timestamp(text_or("", obj, "metadata", "creationTimestamp"))
    if now is not None and created is not None and now - _SCHEDULE_WINDOW < created:
        return in_progress("PodNotScheduled", "Pod has not been scheduled")
    return failed("PodUnschedulable", "Pod could not be scheduled")


def _crash_looping(obj: Value) -> Iterator[str]:
    """Names of the containers that wait in a crash loop."""
    for item in list_field(obj, "status", "containerStatuses") or ():
        container = _asserted(item, dict)
        if "name" not in container:
            continue
        name = _asserted(container["name"], str)
        reason = _waiting_reason(container)
        if reason == "CrashLoopBackOff":
            yield name


def _waiting_reason(container: Value) -> str:
    value = container
    for key in ("state", "waiting", "reason"):
        if key not in value:
            return ""
        value = _asserted(value[key], str if key == "reason" else dict)
    return str(value)


def _asserted(value: Value, kind: type) -> Value:
    """The value; raises `FieldTypeError` if the type assertion in kstatus panics."""
    if isinstance(value, kind):
        return value
    found = "nil" if value is None else type_name(value)
    words = f"interface conversion: interface {{}} is {found}, not {type_name(kind())}"
    raise FieldTypeError(f"panic: {words}")
