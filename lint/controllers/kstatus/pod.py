"""Pods: by phase, with crash loops and the scheduler's refusal as failures.

Mirrors `podConditions` and `getCrashLoopingContainers` of `core.go`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from celvet.lint.controllers.kstatus.conditions import KstatusCondition, conditions_of, find
from celvet.lint.controllers.kstatus.result import current_verdict, failed_verdict, progress_verdict
from celvet.lint.jsonpath.eval.path_values import type_name
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
    "": progress_verdict("PodNotObserved", "Pod phase not available"),
    "Succeeded": current_verdict("Pod has completed successfully"),
    "Failed": current_verdict("Pod has completed, but not successfully"),
}


def _running(obj: Value, conditions: tuple[KstatusCondition, ...]) -> Verdict:
    if find(conditions, "Ready", "True"):
        return current_verdict("Pod is Ready")
    looping = list(_crash_looping(obj))
    if looping:
        message = f"Containers in CrashLoop state: {','.join(looping)}"
        return failed_verdict("ContainerCrashLooping", message)
    return progress_verdict("PodRunningNotReady", "Pod is running but is not Ready")


def _pending(obj: Value, conditions: tuple[KstatusCondition, ...], now: datetime | None) -> Verdict:
    condition = find(conditions, "PodScheduled", "False")
    if condition is None or condition.reason != "Unschedulable":
        return progress_verdict("PodPending", "Pod is in the Pending phase")
    creation = timestamp(text_or("", obj, "metadata", "creationTimestamp"))
    if now is not None and creation is not None and now - _SCHEDULE_WINDOW < creation:
        return progress_verdict("PodNotScheduled", "Pod has not been scheduled")
    return failed_verdict("PodUnschedulable", "Pod could not be scheduled")


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
    go_type = "nil" if value is None else type_name(value)
    words = f"interface conversion: interface {{}} is {go_type}, not {type_name(kind())}"
    raise FieldTypeError(f"panic: {words}")
