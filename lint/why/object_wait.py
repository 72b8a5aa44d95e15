"""Whether objects of any kind are ready, by their controllers or the catalogue, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from celvet.lint.model import ObjectRef, Value
from celvet.lint.safe_text import one_line
from celvet.lint.suggest.kind_names import UnknownKindError, catalog_kind
from celvet.lint.values import text_at
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.investigation import investigate
from celvet.lint.why.names import UnknownWaiterError, select, title, waiting_kind
from celvet.lint.why.outlook.life import catalog_verdict
from celvet.lint.why.output.text import render
from celvet.lint.why.report import WhyReport
from celvet.lint.why.roots.workload import trouble_of
from celvet.lint.why.snapshot import Snapshot, conditions_of
from celvet.record import record
from celvet.schemas import Catalog, kind_facts
from celvet.schemas.live.waiter import waiters

_WIDTH = 300
_STATUSES = {"Current": "ready", "Failed": "failed"}


@record
class WaitState:
    """Where a wait stands: `ready`, `waiting`, or `failed` for good; `text` says why.

    Two texts with one `key` differ only in their times.
    """

    status: str
    text: str
    key: object = None


@record
class WaitTarget:
    """An object to wait for; `reference` is None for one whose controller waits itself."""

    name: str
    reference: ObjectRef | None


def wait_target(text: str, namespace: str, catalog: Catalog) -> WaitTarget:
    """The object that `KIND/NAME` means; raises `UnknownWaiterError`."""
    word, separator, name = text.partition("/")
    if not (separator and name):
        raise UnknownWaiterError(f"write `KIND/NAME` instead of `{text}`")
    kinds = waiting_kind(word)
    if any(kind.kind in kinds and not kind.is_foreign for kind in waiters().values()):
        return WaitTarget(text, None)
    try:
        kind = catalog_kind(word, catalog.directories)
    except UnknownKindError as error:
        if kinds:
            return WaitTarget(text, None)
        raise UnknownWaiterError(str(error)) from None
    facts = kind_facts(kind.group, kind.kind, catalog.directories)
    api_version = facts.api_version if facts else f"{kind.group}/v1".lstrip("/")
    scope = facts.scope if facts else "Namespaced"
    place = namespace if scope == "Namespaced" else ""
    return WaitTarget(text, ObjectRef(api_version, kind.kind, place, name))


def object_state(
    reference: ObjectRef, snapshot: Snapshot, catalog: Catalog, now: datetime
) -> WaitState:
    """The state of an object by the catalogue's entry for its kind, else by kstatus."""
    obj = _find(reference, snapshot)
    if obj is None:
        return WaitState("waiting", f"{title(reference)} does not exist")
    verdict = catalog_verdict(obj, catalog, now)
    status = _STATUSES.get(verdict.status, "waiting")
    if status == "ready":
        return WaitState(status, f"{title(reference)} is ready")
    trouble = trouble_of(obj, snapshot)
    words = trouble.message if trouble else verdict.message or _told(obj)
    word = "failed for good" if status == "failed" else "not ready"
    text = one_line(f"{title(reference)} is {word}: {words}", _WIDTH)
    return WaitState(status, text, text)


def waiter_state(
    name: str, namespace: str, snapshot: Snapshot, catalog: Catalog, now: datetime
) -> WaitState:
    """The state of an object whose controller waits; one that is not there may come."""
    try:
        report = select(investigate(snapshot, catalog, now), [name], ReadScope(namespace).covers)
    except UnknownWaiterError as error:
        return WaitState("waiting", str(error), name)
    key = (
        [(waiter.object, waiter.verdict) for waiter in report.waiters],
        [root.message for root in report.roots],
    )
    status = _status(report)
    titles = ", ".join(title(waiter.object) for waiter in report.waiters)
    text = f"{titles} is ready" if status == "ready" else render(report, False).rstrip("\n")
    return WaitState(status, text, key)


def _status(report: WhyReport) -> str:
    """Failed for good is what its controller leaves alone, or what waits for a final state.

    A controller that is about to try again may do better, as a Job that has failed is made anew.
    """
    unready = [waiter for waiter in report.waiters if waiter.verdict != "ready"]
    if not unready:
        return "ready"
    final = {index for index, root in enumerate(report.roots) if root.rule.final}
    stuck = (
        (waiter.next.event == "none" and waiter.since)
        or (waiter.next.event != "retry" and final.intersection(waiter.roots))
        for waiter in unready
    )
    return "failed" if any(stuck) else "waiting"


def _find(reference: ObjectRef, snapshot: Snapshot) -> Mapping[str, Value] | None:
    """The object of a reference; without a namespace, in any."""
    return next(
        (
            obj
            for obj in snapshot.of_kind(reference.group_kind)
            if text_at(obj, ("metadata", "name")) == reference.name
            and reference.namespace in ("", text_at(obj, ("metadata", "namespace")))
        ),
        None,
    )


def _told(obj: Mapping[str, Value]) -> str:
    """The phase of an object and its conditions that are not true."""
    words = [f"phase {phase}"] if (phase := text_at(obj, ("status", "phase"))) else []
    words += [
        f"{condition.type}={condition.status} {condition.reason} {condition.message}".strip()
        for condition in conditions_of(obj).values()
        if condition.status != "True"
    ]
    return "; ".join(words) or "it has no status yet"
