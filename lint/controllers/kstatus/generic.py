"""The checks of kstatus on every object, before and after the rules of its kind.

Mirrors `generic.go` and `checkReadyCondition` of `status.go`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from celvet.lint.controllers.kstatus.conditions import KstatusCondition, conditions_of
from celvet.lint.controllers.kstatus.result import current_verdict, failed_verdict, progress_verdict
from celvet.lint.model import Value
from celvet.lint.verdicts.unstructured import FieldTypeError, integer_field, text_field, text_or
from celvet.lint.verdicts.verdict import Verdict

T = TypeVar("T")


def deletion(obj: Value) -> Verdict | None:
    """`Terminating` for an object that is being deleted."""
    if not _field_or_none(text_field, obj, "metadata", "deletionTimestamp"):
        return None
    return Verdict(status="Terminating", message="Resource scheduled for deletion")


def generation(obj: Value) -> Verdict | None:
    """`InProgress` if the controller has not seen the present generation yet."""
    present_generation = _field_or_none(integer_field, obj, "metadata", "generation")
    if present_generation is None:
        return None
    observed_generation = _field_or_none(integer_field, obj, "status", "observedGeneration")
    if observed_generation is None or observed_generation == present_generation:
        return None
    kind = text_or("", obj, "kind")
    message = (
        f"{kind} generation is {present_generation}, but latest"
        f" observed generation is {observed_generation}"
    )
    return progress_verdict("LatestGenerationNotObserved", message)


def generation_verdict(obj: Value) -> Verdict | None:
    """`InProgress` if either generation is missing, which `generation` allows."""
    kind = text_or("", obj, "kind")
    if _field_or_none(integer_field, obj, "metadata", "generation") is None:
        return progress_verdict("NoGeneration", f"{kind} metadata.generation not found")
    if _field_or_none(integer_field, obj, "status", "observedGeneration") is None:
        return progress_verdict(
            "NoObservedGeneration", f"{kind} status.observedGeneration not found"
        )
    return None


def standard_conditions(obj: Value) -> Verdict | None:
    """The first of the conditions `Reconciling` and `Stalled` that is true."""
    true = (condition for condition in conditions_of(obj) if condition.status == "True")
    return next((_STANDARD[item.type](item) for item in true if item.type in _STANDARD), None)


def ready_condition(obj: Value) -> Verdict | None:
    """The first condition `Ready` with a status."""
    ready = (condition for condition in conditions_of(obj) if condition.type == "Ready")
    return next((_READY[item.status](item) for item in ready if item.status in _READY), None)


def _still_going(condition: KstatusCondition) -> Verdict:
    return progress_verdict(condition.reason, condition.message)


_STANDARD: dict[str, Callable[[KstatusCondition], Verdict]] = {
    "Reconciling": _still_going,
    "Stalled": lambda condition: failed_verdict(condition.reason, condition.message),
}
_READY: dict[str, Callable[[KstatusCondition], Verdict]] = {
    "True": lambda _: current_verdict("Resource is Ready"),
    "False": _still_going,
    "Unknown": _still_going,
}


def _field_or_none(read: Callable[..., T], obj: Value, *path: str) -> T:
    try:
        return read(obj, *path)
    except FieldTypeError as error:
        raise FieldTypeError(f"looking up {'.'.join(path)} from resource: {error}") from error
