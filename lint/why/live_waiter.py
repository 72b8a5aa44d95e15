"""An object in a cluster that waits for others: its state, as its controller has written it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property, partial

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.build import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.model import ObjectRef, Value, field_path
from celvet.lint.values import get, object_ref_of
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.why.outlook.life import catalog_verdict
from celvet.lint.why.snapshot import (
    Condition,
    Snapshot,
    conditions_of,
    latest,
    meets,
    texts_at,
    time_at,
)
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import Catalog
from celvet.schemas.live.waiter import NextEvent, WaiterKind, WaiterState

_LATER = NextEvent("reconcile", ())
_CATALOG_STATES = {
    "Current": WaiterState((), "ready", ""),
    "Failed": WaiterState((), "failed", "health"),
}
_UNREADY = WaiterState((), "waiting", "health", _LATER)
_UNSEEN = WaiterState((), "waiting", "", _LATER)
"""The states by the catalogue; nobody knows when the controller looks again."""

_WAIT_FAILURES = (
    "timeout waiting for",
    "failed early due to stalled",
    "timed out waiting",
    "would exceed context deadline",
)
"""The words of `WaitForSetWithContext` of fluxcd/pkg/ssa (v0.78), and of Helm's own wait.

The last are those of client-go's rate limiter, when a look would end after the wait.
"""

_NAMED = regex(r"([A-Za-z0-9]+)/([^/\s\[\]]+/)?([^/\s\[\]]+) status: '(\w+)'")
"""As `WaitForSetWithContext` of fluxcd/pkg/ssa (v0.78) names what it has waited for."""

_MOST_TEXT = 20_000


@record(slots=False, eq=False)
class LiveWaiter:
    """An object of a kind that waits."""

    value: Mapping[str, Value]
    kind: WaiterKind
    catalog: Catalog
    snapshot: Snapshot
    now: datetime

    @cached_property
    def reference(self) -> ObjectRef:
        """The names of the object."""
        return object_ref_of(self.value)

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The conditions of the object, by type."""
        return conditions_of(self.value)

    @cached_property
    def checked(self) -> CheckedObject:
        """The object with its checks, whose expressions are compiled."""
        compute = partial(check_value, self.value, self.catalog)
        return self.snapshot.remember("checked", self.value, compute)

    @cached_property
    def evaluators(self) -> tuple[Evaluator, ...]:
        """The evaluators of its controller."""
        compute = partial(evaluators, self.checked)
        return self.snapshot.remember("evaluators", self.value, compute)

    @cached_property
    def state(self) -> WaiterState | None:
        """The state by its conditions; None before the controller has written any.

        For a kind without states, it is that of the entry that the catalogue recommends. One that
        was ready before its last change waits for its controller.
        """
        return self.snapshot.remember("state", self.value, partial(_state, self))

    @property
    def is_outdated(self) -> bool:
        """Whether its conditions are about an earlier generation, and its controller is to act."""
        generation = get(self.value, ("metadata", "generation"))
        observation = self.conditions["Ready"].generation if "Ready" in self.conditions else None
        has_generations = isinstance(generation, int) and observation is not None
        return (
            has_generations
            and not self.suspended
            and not self.deleted
            and observation != generation
        )

    @cached_property
    def deleted(self) -> datetime | None:
        """When somebody has deleted it; its controller has not let it go yet."""
        return time_at(self.value, ("metadata", "deletionTimestamp"))

    @property
    def suspended(self) -> bool:
        """Whether somebody has switched it off."""
        if self.deleted:
            return False
        switch = get(self.value, self.kind.suspended)
        lower = switch.lower() if isinstance(switch, str) else switch
        return any(lower is value or lower == value for value in self.kind.suspended_values)

    @property
    def verdict(self) -> str:
        """The verdict of its controller."""
        if self.deleted:
            return "waiting"
        if self.suspended:
            return "suspended"
        return self.state.verdict if self.state else "waiting"

    @property
    def ready(self) -> bool:
        """Whether it is ready, suspended or not."""
        return not self.deleted and self.state is not None and self.state.verdict == "ready"

    @property
    def cause(self) -> str:
        """What kind of thing holds it up, in a word of the states, or `deletion`."""
        if self.deleted:
            return "deletion"
        if self.state is None:
            return ""
        waited = self.state.cause in ("apply", "helm") and self.wait_failed
        return "health" if waited else self.state.cause

    @property
    def since(self) -> datetime | None:
        """When it got its verdict."""
        if self.deleted:
            return self.deleted
        if "Ready" in self.conditions:
            return self.conditions["Ready"].since
        return latest(condition.since for condition in self._telling_conditions)

    @property
    def message(self) -> str:
        """The message of the condition that tells most."""
        types = ("Released", "Ready", "Stalled")
        present = (self.conditions[name] for name in types if name in self.conditions)
        telling = (c for c in present if c.status != "True" or c.type == "Stalled")
        conditions = [*self._telling_conditions, *telling] if self.kind.is_foreign else telling
        messages = [condition.message for condition in conditions]
        messages += texts_at(self.value, self.kind.message) if self.kind.message else ()
        return next(filter(None, messages), "") or self._tested_fields

    @property
    def _telling_conditions(self) -> list[Condition]:
        """The conditions by which it is in its state, else those that are not true."""
        tests = self.state.when if self.state else ()
        conditions = [self.conditions[test.type] for test in tests if test.type in self.conditions]
        return conditions or [c for c in self.conditions.values() if c.status != "True"]

    @property
    def _tested_fields(self) -> str:
        """The fields by which it is in its state, in words."""
        paths = [test.at for test in (self.state.when if self.state else ()) if test.at]
        values = (f"{field_path(p)} is {', '.join(texts_at(self.value, p))}" for p in paths)
        return "; ".join(values)

    @property
    def wait_failed(self) -> bool:
        """Whether its controller has given up a wait for objects."""
        messages = [condition.message for condition in self.conditions.values()]
        return any(words in message for words in _WAIT_FAILURES for message in messages)

    @property
    def named_objects(self) -> list[tuple[ObjectRef, str]]:
        """The objects that the message of a failed wait names, without a group; their status."""
        matches = _NAMED.findall(self.message[:_MOST_TEXT])
        return [
            (ObjectRef("", kind, namespace.removesuffix("/"), name), status)
            for kind, namespace, name, status in matches
        ]

    @property
    def elsewhere(self) -> bool:
        """Whether it applies to another cluster, whose objects are not here."""
        place = self.kind.elsewhere
        values = (get(self.value, path) for path in place.paths)
        value = next((value for value in values if value), None)
        return value not in place.local_values if place.local_values else bool(value)

    @property
    def gates(self) -> Mapping[str, bool]:
        """The feature gates that the options of its controller switch on or off."""
        text = self.snapshot.option(self.kind.controller, "--feature-gates")
        pairs = (item.partition("=") for item in text.split(",") if item)
        return {name.strip(): value.strip().lower() == "true" for name, _, value in pairs}

    @property
    def failed_early(self) -> bool:
        """Whether the wait ended because an object had failed."""
        return _WAIT_FAILURES[1] in self.message

    @cached_property
    def wait(self) -> Evaluator | None:
        """The evaluator of the objects that it waits for now; None if it waits for none."""
        waits = [item for item in self.evaluators if item.builtin]
        progress = self.conditions.get("Reconciling")
        for item in waits:
            if (
                item.title.startswith("step ")
                and progress
                and f'"{item.title[5:]}"' in progress.message
            ):
                return item
        return waits[-1] if waits else None


def _state(waiter: LiveWaiter) -> WaiterState | None:
    if not waiter.kind.states:
        verdict = catalog_verdict(waiter.value, waiter.catalog, waiter.now)
        state: WaiterState | None = _CATALOG_STATES.get(verdict.status, _UNREADY)
    else:
        states = waiter.kind.states
        state = next((s for s in states if meets(s.when, waiter.value, waiter.conditions)), None)
    is_outdated = state is not None and state.verdict == "ready" and waiter.is_outdated
    return _UNSEEN if is_outdated else state
