"""An extension resource (`Worker`, `Infrastructure`...) and the conditions written to it.

Mirrors `reconciler.go` of `extensions/pkg/controller/healthcheck` and
`condition_builder.go` of Gardener (v1.149).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from celvet.lint.controllers.gardener.aggregation import aggregate, successful
from celvet.lint.controllers.gardener.checks import CheckResult
from celvet.lint.controllers.gardener.objects import items, text
from celvet.lint.model import Value
from celvet.lint.values import ABSENT
from celvet.lint.verdicts.unstructured import FieldTypeError, field
from celvet.lint.verdicts.verdict import Verdict

Results = Mapping[str, Sequence[CheckResult]]
"""Condition type -> what the checks registered for it returned."""

_OF_A_SHOOT = ("shoot", None, ABSENT)
"""Classes of an extension that belongs to a Shoot."""


def examine(
    extension: Value, results: Results, now: datetime, shoot: Value = None
) -> dict[str, Verdict]:
    """The verdict of each registered condition type; none for an extension that is not checked.

    An extension that is being deleted or migrated is not checked. `shoot` is its Shoot, if that
    matters: while the Shoot is hibernated, all its extensions are healthy.
    """
    try:
        return _examined(extension, results, now, shoot)
    except FieldTypeError as error:
        return dict.fromkeys(results, Verdict(status="Unknown", error=str(error)))


def with_conditions(extension: Value, verdicts: Mapping[str, Verdict], now: datetime) -> Value:
    """The extension with these verdicts as its conditions, with times as Gardener sets them.

    Raises `FieldTypeError` for an extension that `examine` gives errors for.
    """
    new = {kind: _condition(kind, item, extension, now) for kind, item in verdicts.items()}
    conditions = [
        new.pop(text(old, "type"), old) for old in items(extension, "status", "conditions")
    ]
    fields = extension or {}
    status = {**(fields.get("status") or {}), "conditions": [*conditions, *new.values()]}
    return {**fields, "status": status}


def _hibernated(shoot: Value) -> bool:
    """Whether hibernation is switched on in the Shoot's spec."""
    return field(shoot, "spec", "hibernation", "enabled") is True


def _examined(
    extension: Value, results: Results, now: datetime, shoot: Value
) -> dict[str, Verdict]:
    if _is_skipped(extension):
        return {}
    if field(extension, "spec", "class") in _OF_A_SHOOT and _hibernated(shoot):
        return dict.fromkeys(results, successful("Shoot is hibernated"))
    pairs = results.items()
    return {kind: aggregate(checks, _old(extension, kind), now) for kind, checks in pairs}


def _is_skipped(extension: Value) -> bool:
    """Whether the extension is being deleted or migrated."""
    return (
        bool(text(extension, "metadata", "deletionTimestamp"))
        or field(extension, "metadata", "annotations", "gardener.cloud/operation") == "migrate"
        or field(extension, "status", "lastOperation", "type") == "Migrate"
    )


def _old(extension: Value, kind: str) -> Value:
    conditions = items(extension, "status", "conditions")
    return next((item for item in conditions if text(item, "type") == kind), None)


def _condition(kind: str, verdict: Verdict, extension: Value, now: datetime) -> Value:
    """The condition as written: its time changes only with its status."""
    old = _old(extension, kind) or {}
    instant = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    is_new = old.get("status") != verdict.status
    has_new_words = (old.get("reason"), old.get("message")) != (verdict.reason, verdict.message)
    return {
        "type": kind,
        "status": verdict.status,
        "reason": verdict.reason,
        "message": verdict.message,
        "lastTransitionTime": instant if is_new else old.get("lastTransitionTime") or instant,
        "lastUpdateTime": instant if has_new_words else old.get("lastUpdateTime") or instant,
    }
