"""The root for an object that no expression covers: its state by kstatus, and what explains it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.controllers import kstatus
from celvet.lint.model import Value
from celvet.lint.safe_text import one_line
from celvet.lint.values import get, list_at, object_ref_of, text_at
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.outlook import OutlookReason, deletion_outlook, object_outlook
from celvet.lint.why.report import NEEDS_CHANGE, RECOVERS, UNKNOWN, Root
from celvet.lint.why.roots.workload import trouble_of, warning_about
from celvet.lint.why.snapshot import conditions_of
from celvet.record import replace
from celvet.schemas.kind_files import is_built_in

_WIDTH = 300
_COUNTERS = (
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "currentReplicas",
    "desiredNumberScheduled",
    "currentNumberScheduled",
    "updatedNumberScheduled",
    "numberReady",
    "numberAvailable",
    "numberUnavailable",
    "active",
    "succeeded",
    "failed",
    "phase",
)
_MOST_CONDITIONS = 8


def state_root(waiter: LiveWaiter, obj: Mapping[str, Value], verdict: Verdict) -> Root:
    """The root that an object is, which `verdict` of kstatus holds up."""
    reference = object_ref_of(obj)
    trouble = trouble_of(obj, waiter.snapshot)
    values = {**dict(state_fields(obj)), **(trouble.observed if trouble else {})}
    if not (verdict.error or verdict.reason):  # words of the whole wait; kstatus gives a reason
        state = kstatus.compute(dict(obj), waiter.now)
        if state.status != "Current" or not verdict.message:
            verdict = replace(verdict, message=state.message)
    message = _message(verdict, trouble.message if trouble else _failure(obj))
    outlook, evidence = UNKNOWN, ""
    if verdict.status == "Terminating":
        outlook, message = deletion_outlook(obj), _deletion(obj)
    elif verdict.status == "Failed" or get(obj, ("spec", "paused")) is True:
        outlook = NEEDS_CHANGE
    elif trouble:
        outlook = trouble.outlook
    else:
        news = warning_about(obj, waiter.snapshot)
        message = one_line("; ".join(filter(None, (message, news))), _WIDTH)
        reason = object_outlook(obj, waiter.catalog, waiter.now, news)
        outlook, evidence = reason.outlook, reason.evidence
        if outlook == NEEDS_CHANGE and is_built_in(*_kind(obj)):
            outlook = RECOVERS
    return Root(
        reference,
        "kstatus",
        f"{title(reference)}: {message}",
        outlook,
        observed=values,
        evidence=evidence,
        command=trouble.command if trouble else "",
    )


def live_outlook(waiter: LiveWaiter, obj: Mapping[str, Value]) -> tuple[OutlookReason, str]:
    """The outlook of an object that an expression judges, and what stands behind it, in words.

    The pods of a built-in kind tell more than its conditions; those of another may say the worst.
    """
    news = warning_about(obj, waiter.snapshot)
    reason = object_outlook(obj, waiter.catalog, waiter.now, news)
    trouble = trouble_of(obj, waiter.snapshot)
    if trouble is None or reason.outlook == NEEDS_CHANGE:
        return reason, f"; {news}" if news else ""
    if trouble.outlook == NEEDS_CHANGE or is_built_in(*_kind(obj)):
        reason = replace(reason, outlook=trouble.outlook)
    return reason, f"; {trouble.message}"


def state_fields(obj: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The fields of an object by which kstatus decides, and its conditions."""
    if text_at(obj, ("metadata", "deletionTimestamp")):
        yield "metadata.deletionTimestamp", get(obj, ("metadata", "deletionTimestamp"))
        yield "metadata.finalizers", list_at(obj, ("metadata", "finalizers"))
    for path in (("spec", "replicas"), ("spec", "paused"), ("spec", "suspend")):
        if (value := get(obj, path)) is not None:
            yield ".".join(path), value
    for counter in _COUNTERS:
        if isinstance(value := get(obj, ("status", counter)), int | str):
            yield f"status.{counter}", value
    generations = [
        get(obj, path) for path in (("metadata", "generation"), ("status", "observedGeneration"))
    ]
    if None not in generations and generations[0] != generations[1]:
        yield "metadata.generation", generations[0]
        yield "status.observedGeneration", generations[1]
    yield from condition_fields(obj)


def condition_fields(obj: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The status and reason of each condition."""
    for name, condition in list(conditions_of(obj).items())[:_MOST_CONDITIONS]:
        yield f"status.conditions[type={name}].status", condition.status
        if condition.reason:
            yield f"status.conditions[type={name}].reason", condition.reason


def _kind(obj: Mapping[str, Value]) -> tuple[str, str]:
    kind = object_ref_of(obj).group_kind
    return kind.group, kind.kind


def _deletion(obj: Mapping[str, Value]) -> str:
    """That an object is deleted, and what holds it."""
    finalizers = ", ".join(map(str, list_at(obj, ("metadata", "finalizers"))))
    holder = f"; a finalizer holds it: {finalizers}" if finalizers else ""
    return one_line(f"it is being deleted{holder}", _WIDTH)


def _failure(obj: Mapping[str, Value]) -> str:
    """What went wrong with an object that tries again, of which kstatus gives only the progress."""
    conditions = conditions_of(obj)
    failed = "Ready" in conditions and conditions["Ready"].status == "False"
    return conditions["Ready"].message if failed and "Reconciling" in conditions else ""


def _message(verdict: Verdict, trouble: str) -> str:
    text = verdict.error or verdict.message
    return one_line(f"{trouble} ({text})" if trouble and trouble != text else text, _WIDTH)
