"""The objects that a controller waits for, each with its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from functools import partial

from celvet.lint.controllers import kstatus
from celvet.lint.model import ObjectRef, Value
from celvet.lint.values import list_at, object_ref_of
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.inventory import reference_of
from celvet.lint.verdicts.verdict import SETTLED, Verdict
from celvet.lint.verdicts.wait_result import MISSING
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.roots.workload import is_pod, is_ready_pod
from celvet.lint.why.snapshot import Key, key_of
from celvet.record import record, replace
from celvet.schemas import Catalog, kind_facts
from celvet.schemas.kind_files import built_in_kinds, is_built_in

_TWO_LOOKS = timedelta(seconds=10)
"""kustomize-controller looks every five seconds, so a wait without a cause has ended by then."""


@record
class WaitedObject:
    """An object that is waited for; `value` is None if it does not exist.

    `listed` says that the waiting object names it, so that nobody need have applied it.
    """

    reference: ObjectRef
    value: Mapping[str, Value] | None
    verdict: Verdict
    listed: bool

    @property
    def unsettled(self) -> bool:
        """Whether it holds up the wait."""
        return self.verdict.status not in SETTLED


def waited_objects(waiter: LiveWaiter) -> list[WaitedObject]:
    """What the controller looks at in its wait; empty if it waits for nothing.

    It is computed once for the snapshots of one time, after all objects were read.
    """
    if waiter.wait is None or waiter.elsewhere:
        return []
    compute = partial(_waited_objects, waiter, waiter.wait)
    return waiter.snapshot.remember("waited", waiter.value, lambda: [*compute()])


def _waited_objects(waiter: LiveWaiter, wait: Evaluator) -> Iterator[WaitedObject]:
    waiting = waiter.checked.waiting
    listed = not waiting.everything
    for reference in references(waiter):
        # Flux leaves the object itself out (checkHealth of kustomize-controller v1.9.5).
        if key_of(reference) == key_of(waiter.reference):
            continue
        value = waiter.snapshot.find(reference)
        if value is not None and not listed and waiting.exception_for(value):
            continue
        # What was not read may be ready: only Flux's own words tell that it is missing.
        is_known = (
            waiter.snapshot.covers(reference.group_kind) or title(reference) in waiter.message
        )
        if value is None and not is_known:
            continue
        verdict = MISSING if value is None else wait.verdict_on(value, waiter.now)
        yield WaitedObject(reference, value, verdict, listed)


def remaining_reference(waiter: LiveWaiter) -> ObjectRef | None:
    """The one object that was not read, while all others are ready and the wait goes on."""
    if waiter.since is None or waiter.now - waiter.since < _TWO_LOOKS or waiter.elsewhere:
        return None
    if waiter.verdict != "waiting":
        return None
    unread = [item for item in references(waiter) if waiter.snapshot.find(item) is None]
    if waiter.checked.waiting.everything:
        unread = [item for item in unread if _may_wait(item, waiter.catalog)]
    return unread[0] if len(unread) == 1 else None


def _may_wait(reference: ObjectRef, catalog: Catalog) -> bool:
    """Whether an object of a kind may be unready: a ConfigMap is ready once it exists."""
    kind = reference.group_kind
    has_life = kind_facts(kind.group, kind.kind, catalog.directories) is not None
    return has_life or not is_built_in(kind.group, kind.kind)


def named_references(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """The objects of built-in kinds that the message of a failed wait names.

    Nobody lists the pod of a Helm test, nor labels it.
    """
    groups = {kind: group for group, kind in reversed([*built_in_kinds()])}
    for reference, _ in waiter.named_objects:
        if reference.kind in groups:
            group = groups[reference.kind]
            yield replace(reference, api_version=f"{group}/v1" if group else "v1")


def unready_objects(waiter: LiveWaiter, waited: Iterable[WaitedObject]) -> Iterator[WaitedObject]:
    """The objects of the message that exist and are not ready, but for those waited for."""
    keys = {key_of(item.reference) for item in waited}
    for reference in named_references(waiter):
        value = waiter.snapshot.find(reference)
        if value is None:
            continue
        verdict = kstatus.read(dict(value), waiter.now)
        unsettled = verdict.status not in SETTLED and key_of(reference) not in keys
        # By kstatus, a pod that has failed is current.
        if unsettled or (is_pod(value) and not is_ready_pod(value)):
            yield WaitedObject(reference, value, replace(verdict, status="Failed"), listed=True)


def references(waiter: LiveWaiter) -> list[ObjectRef]:
    """The objects that a wait may be about: those that are listed, else all that was applied."""
    waiting = waiter.checked.waiting
    if waiting.everything:
        return applied(waiter)
    return [*map(object_ref_of, waiting.listed_objects)]


def applied(waiter: LiveWaiter) -> list[ObjectRef]:
    """The objects that the controller has applied: of the inventory, and those with its labels.

    The inventory of a first installation is written when the wait is over.
    """
    entries = list_at(waiter.value, waiter.kind.inventory)
    compute = partial(_inventory, entries)
    references: Mapping[Key, ObjectRef] = waiter.snapshot.remember(
        "inventory", waiter.value, compute
    )
    if waiter.kind.late_inventory:
        labels = waiter.kind.labels_of(waiter.reference.name, waiter.reference.namespace)
        installations = map(object_ref_of, waiter.snapshot.labelled(labels))
        references = {**references, **{key_of(reference): reference for reference in installations}}
    return [*references.values()]


def _inventory(entries: Iterable[Value]) -> dict[Key, ObjectRef]:
    references = filter(None, map(reference_of, entries))
    return {key_of(reference): reference for reference in references}
