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
from celvet.lint.why.outlook.life import deletion_rule, object_outlook
from celvet.lint.why.outlook.rules import NEEDS_CHANGE, POD_RULES, PODS_FIRST, OutlookRule
from celvet.lint.why.report import Root
from celvet.lint.why.roots.workload import Trouble, trouble_of, warning_about
from celvet.lint.why.snapshot import conditions_of, unequal_generations
from celvet.record import record, replace
from celvet.schemas.kind_files import is_built_in

_WIDTH = 300
_TELLING = 40
"""So much of an error shows whether a sentence has it, which may be cut."""
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


@record
class Ending:
    """The outlook of an object, where it was read, and what stands behind its state, in words."""

    rule: OutlookRule
    evidence: str
    words: str
    trouble: Trouble | None

    def clause(self, sentence: str) -> str:
        """The words behind a sentence; none if it has them itself."""
        return f"; {self.words}" if self.words and self.words[:_TELLING] not in sentence else ""


def state_root(waiter: LiveWaiter, obj: Mapping[str, Value], verdict: Verdict) -> Root:
    """The root that an object is, which `verdict` of kstatus holds up."""
    reference = object_ref_of(obj)
    ending = ending_of(waiter, obj, verdict.status)
    trouble = ending.trouble
    if not (verdict.error or verdict.reason):  # words of the whole wait; kstatus gives a reason
        state = kstatus.compute(dict(obj), waiter.now)
        if state.status != "Current" or not verdict.message:
            verdict = replace(verdict, message=state.message)
    # What the pods, the volumes or the Events say names the cause, the state only that there is
    # one.
    message = _message(verdict, trouble.message if trouble else _failure(obj))
    if verdict.status == "Terminating":
        message = _deletion(obj)
    elif not trouble:
        message = one_line(f"{message}{ending.clause(message)}".removeprefix("; "), _WIDTH)
    return Root(
        reference,
        "kstatus",
        f"{title(reference)}: {message}",
        ending.rule,
        observed={**dict(state_fields(obj)), **(trouble.observed if trouble else {})},
        evidence=ending.evidence,
        command=trouble.command if trouble else "",
    )


def ending_of(waiter: LiveWaiter, obj: Mapping[str, Value], status: str = "") -> Ending:
    """How an object that is not ready ends its state, with the `status` that kstatus gives it.

    The pods of a built-in kind tell more than its conditions; those of another may say the worst.
    """
    news = warning_about(obj, waiter.snapshot)
    trouble = trouble_of(obj, waiter.snapshot)
    behind = trouble.outlook if trouble else None
    life = object_outlook(obj, waiter.catalog, waiter.now, news=news, behind=behind)
    rule = life.rule
    kind = object_ref_of(obj).group_kind
    if text_at(obj, ("metadata", "deletionTimestamp")):
        rule = deletion_rule(obj)
    elif get(obj, ("spec", "paused")) is True:
        rule = OutlookRule.SUSPENDED
    elif status == "Failed":
        rule = OutlookRule.FAILED
    elif trouble and rule in PODS_FIRST:
        is_plain = is_built_in(kind.group, kind.kind)
        rule = POD_RULES[trouble.outlook] if is_plain or trouble.outlook == NEEDS_CHANGE else rule
    words = trouble.message if trouble else news or one_line(life.error, _WIDTH)
    return Ending(rule, life.evidence, words, trouble)


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
    if generations := unequal_generations(obj):
        yield "metadata.generation", generations[0]
        yield "status.observedGeneration", generations[1]
    yield from condition_fields(obj)


def condition_fields(obj: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The status and reason of each condition."""
    for name, condition in list(conditions_of(obj).items())[:_MOST_CONDITIONS]:
        yield f"status.conditions[type={name}].status", condition.status
        if condition.reason:
            yield f"status.conditions[type={name}].reason", condition.reason


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
