"""Follows what holds up each object that waits, down to the roots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from celvet.lint.controllers.flux.health import NO_FAIL_FAST
from celvet.lint.model import GroupKind, field_path
from celvet.lint.values import text_at
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.clock import next_event
from celvet.lint.why.dependencies import Hold, dependency_holds, waiter_hold
from celvet.lint.why.held_roots import held_holds
from celvet.lint.why.kinds import waiting_kinds
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.report import Root, WaiterReport, WhyReport
from celvet.lint.why.roots.expressions import covering_expression, decide, health_root, reads_status
from celvet.lint.why.roots.lacks import is_mended
from celvet.lint.why.roots.own import (
    cycle_root,
    error_root,
    missing_root,
    named_roots,
    suspended_root,
    unread_root,
)
from celvet.lint.why.roots.sources import source_roots
from celvet.lint.why.roots.state import state_root
from celvet.lint.why.snapshot import Key, Snapshot, key_of
from celvet.lint.why.waits import (
    WaitedObject,
    applied,
    remaining_reference,
    unready_objects,
    waited_objects,
)
from celvet.record import replace
from celvet.schemas import Catalog

_JOB = GroupKind("batch", "Job")


def investigate(snapshot: Snapshot, catalog: Catalog, now: datetime) -> WhyReport:
    """The report on everything that waits in a cluster."""
    waiters = {key_of(waiter.reference): waiter for waiter in _waiters(snapshot, catalog, now)}
    roots = _Roots(waiters)
    indices: dict[tuple[object, ...], int] = {}
    distinct: list[Root] = []
    reports = []
    for key in waiters:
        for root in roots.of(key):
            if root.key not in indices:
                indices[root.key] = len(distinct)
                distinct.append(root)
    for key, waiter in waiters.items():
        own_key = suspended_root(waiter).key if waiter.suspended else None
        places = [indices[root.key] for root in roots.of(key)]
        places += [indices[own_key]] if own_key in indices else []
        coming = next_event(waiter)
        deadline = coming.at if coming.event == "timeout" else None
        reports.append(
            WaiterReport(
                waiter.reference,
                waiter.verdict,
                waiter.since,
                deadline,
                tuple(dict.fromkeys(places)),
                coming,
            )
        )
    return WhyReport(now, reports, distinct, tuple(snapshot.notes))


def _waiters(snapshot: Snapshot, catalog: Catalog, now: datetime) -> Iterator[LiveWaiter]:
    kinds = waiting_kinds(snapshot)
    for group_kind, objects in snapshot.by_kind.items():
        if kind := kinds.get((group_kind.group, group_kind.kind)):
            for obj in objects.values():
                yield LiveWaiter(obj, kind, catalog, snapshot, now)


class _Roots:
    """The roots of each object that waits; each is computed once."""

    def __init__(self, waiters: Mapping[Key, LiveWaiter]) -> None:
        self._waiters = waiters
        self._roots: dict[Key, tuple[Root, ...]] = {}

    def of(self, start: Key) -> tuple[Root, ...]:
        """The roots of one; without recursion, since chains of dependencies may be long."""
        path: list[tuple[Key, Iterator[Hold], dict[object, Root]]] = []
        places: dict[Key, int] = {}
        if start not in self._roots:
            path.append(self._begin(start))
            places[start] = 0
        while path:
            key, holds, roots = path[-1]
            hold = next(holds, None)
            if hold is None:
                path.pop()
                del places[key]
                # All that holds it up is known by now, and it holds up the one before it.
                self._roots[key] = tuple(roots.values())
                if path:
                    _add(path[-1][2], self._roots[key])
            elif isinstance(hold, Root):
                _add(roots, (hold,))
            elif hold in self._roots:
                _add(roots, self._roots[hold])
            # It is on the way from the start already: those between wait for each other.
            elif hold in places:
                members = [self._waiters[step[0]] for step in path[places[hold] :]]
                _add(roots, (cycle_root(members),))
            else:
                places[hold] = len(path)
                path.append(self._begin(hold))
        return self._roots[start]

    def _begin(self, key: Key) -> tuple[Key, Iterator[Hold], dict[object, Root]]:
        return key, _holds(self._waiters[key], self._waiters), {}


def _add(roots: dict[object, Root], others: Iterable[Root]) -> None:
    for root in others:
        roots.setdefault(root.key, root)


def _holds(waiter: LiveWaiter, waiters: Mapping[Key, LiveWaiter]) -> Iterator[Hold]:
    """What holds up one object directly."""
    if waiter.suspended:
        return  # somebody wants it so; it is a root only for whoever waits for it
    match waiter.cause:
        case "dependency":
            yield from dependency_holds(waiter, waiters)
        case "source":
            yield from source_roots(waiter)
        case "health":
            yield from _health_holds(waiter, waiters)
        case "deletion":
            yield from _deletion_holds(waiter)
        case "expression":
            yield _refused_expression(waiter)
        case "":
            return
        case cause if not is_mended(waiter):
            yield error_root(waiter, cause)


def _health_holds(waiter: LiveWaiter, waiters: Mapping[Key, LiveWaiter]) -> Iterator[Hold]:
    """The objects that a wait is about and that are not ready now."""
    if waiter.kind.is_foreign:
        yield from held_holds(waiter, waiters)
        return
    if waiter.elsewhere:
        yield from named_roots(waiter)
        return
    if waiter.verdict == "failed" and not waiter.wait_failed:
        yield error_root(waiter, "apply")
        return
    cause = waiter.state.cause if waiter.state else ""
    # Before it applies the rest, kustomize-controller waits for definitions and namespaces.
    items = [] if cause == "apply" else waited_objects(waiter)
    objects = [item for item in items if item.unsettled] or [*unready_objects(waiter, items)]
    fails_fast = waiter.failed_early or waiter.verdict == "waiting"
    if fails_fast and not waiter.gates.get(NO_FAIL_FAST):  # one that has failed ends the wait
        objects = [item for item in objects if item.verdict.status == "Failed"] or objects
    # A Job may be gone because of its time to live, which Flux does not wait for.
    present = [
        item for item in objects if item.value is not None or item.reference.group_kind != _JOB
    ]
    for item in present or objects:
        yield _object_hold(waiter, item, waiters)
    if not objects and (reference := remaining_reference(waiter)):
        yield unread_root(reference)
    # Remediation takes the objects away, and a stalled object stays so when they are ready.
    if not objects and cause != "health" and (not items or "Stalled" in waiter.conditions):
        yield error_root(waiter, cause)


def _deletion_holds(waiter: LiveWaiter) -> Iterator[Root]:
    """What its controller has deleted with it, and what is still there."""
    for reference in applied(waiter):
        obj = waiter.snapshot.find(reference)
        if obj and text_at(obj, ("metadata", "deletionTimestamp")):
            yield state_root(waiter, obj, Verdict(status="Terminating"))


def _object_hold(waiter: LiveWaiter, item: WaitedObject, waiters: Mapping[Key, LiveWaiter]) -> Hold:
    if item.value is None:
        return missing_root(waiter, item.reference, applied=not item.listed)
    item_waiter = waiters.get(key_of(item.reference))
    expression = covering_expression(waiter, item.value, item.verdict)
    if (
        item_waiter is not None
        and (item_waiter.suspended or not item_waiter.ready)
        and (item_waiter.suspended or item_waiter.cause)
    ):
        variables = dict(item.value)
        if expression is None or reads_status(decide(expression, variables)):
            return waiter_hold(item_waiter, item.verdict.message)
    if expression:
        return health_root(waiter, item.value, expression)
    return state_root(waiter, item.value, item.verdict)


def _refused_expression(waiter: LiveWaiter) -> Root:
    """The root that an object is whose own expression its controller refuses."""
    root = error_root(waiter, "expression")
    for check in waiter.checked.checks:
        for expression in check.cel:
            if expression.program.refusals:
                return replace(
                    root,
                    cause="dependency-expression" if check.strategy == "dependency" else root.cause,
                    field=field_path(expression.path),
                    expression=expression.program.text,
                    holder=waiter.reference,
                )
    return root
