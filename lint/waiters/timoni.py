"""The health checks that a Timoni module may have for a kind.

Mirrors `schemas/timoni.sh/core/v1alpha1/healthcheck.cue` and `internal/engine/healthcheck.go` of
`stefanprodan/timoni` (v0.33.0): `#HealthCheckForCondition` with two types of conditions,
and `#HealthCheck` with the values of one field. A field that is missing makes a test false.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TypeAlias

from celvet.lint.model import Value
from celvet.lint.values import get, list_at, text_at
from celvet.lint.waiters.waiter import Effect, Waiter, WaiterJudgement

Test: TypeAlias = Callable[[Value], bool]
_MIRRORS = "Timoni v0.33.0"


def condition_check(ready: str, failed: str) -> Waiter:
    """`#HealthCheckForCondition` with its `conditionType` and `failedConditionType`."""
    return _waiter(lambda obj: _holds(obj, failed), lambda obj: _holds(obj, ready))


def field_check(path: Sequence[str], ready: Collection[str], failed: Collection[str]) -> Waiter:
    """`#HealthCheck` with a field that has one of these values."""
    return _waiter(
        lambda obj: text_at(obj, path) in failed, lambda obj: text_at(obj, path) in ready
    )


def _holds(obj: Value, kind: str) -> bool:
    """Whether a condition of a type is True, and of no other generation than the object."""
    return any(
        (text_at(item, ("type",)), text_at(item, ("status",))) == (kind, "True")
        and _is_fresh(obj, item)
        for item in list_at(obj, ("status", "conditions"))
    )


def _is_fresh(obj: Value, holder: Value) -> bool:
    generation = get(holder, ("observedGeneration",))
    return generation is None or generation == get(obj, ("metadata", "generation"))


def _waiter(failed: Test, ready: Test) -> Waiter:
    def judge(obj: Value, _: datetime) -> WaiterJudgement:
        effect: Effect = "waits"
        if get(obj, ("metadata", "deletionTimestamp")) is None and _is_fresh(
            obj, get(obj, ("status",))
        ):
            effect = "fails" if failed(obj) else "ready" if ready(obj) else "waits"
        return WaiterJudgement(status=_STATUSES[effect], effect=effect)

    return Waiter(name="timoni", mirrors=_MIRRORS, judge=judge)


_STATUSES: dict[Effect, str] = {"ready": "Current", "fails": "Failed", "waits": "InProgress"}
