"""What an object holds: each with what its list, an expression or its kind says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from celvet.lint.checks import AnyExpression, Check, CheckedObject
from celvet.lint.checks.build import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.model import ObjectRef, Value
from celvet.lint.values import get, list_at, mapping_at, object_ref_of, text_at
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.verdict import SETTLED, Verdict
from celvet.lint.verdicts.wait_result import MISSING
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.outlook.life import catalog_verdict
from celvet.lint.why.snapshot import conditions_in, meets, values_at
from celvet.record import record
from celvet.schemas.live.holding import FieldPath, HeldList


@record
class HeldCheck:
    """A check about an object, and the object that declares it."""

    evaluator: Evaluator
    checked: CheckedObject
    variables: ClusterState
    verdict: Verdict

    @property
    def reference(self) -> ObjectRef:
        """The names of the object that declares it."""
        return object_ref_of(self.checked.value)

    @property
    def expression(self) -> AnyExpression | None:
        """The expression that decided, else the first; None for a check without one."""
        cause = self.verdict.cause.path if self.verdict.cause else ()
        decisive = (item for item in self.evaluator.expressions if _is_near(item.path, cause))
        return next(decisive, next(iter(self.evaluator.expressions), None))


@record
class HeldObject:
    """An object that is held; `value` is None if it does not exist, or is in another cluster.

    `status` is `Current`, or a word of the controller for an object that is not ready. `told` says
    that the list has it.
    """

    reference: ObjectRef
    value: Mapping[str, Value] | None
    status: str
    message: str
    check: HeldCheck | None = None
    told: bool = False

    @property
    def unsettled(self) -> bool:
        """Whether it holds up its holder."""
        return self.status != "Current"


def held_objects(waiter: LiveWaiter) -> Iterator[HeldObject]:
    """What an object holds, by its lists and by the labels of its controller."""
    for held_list in waiter.kind.holds:
        for entry in elements_at(waiter.value, held_list.at):
            reference = reference_in(entry, held_list)
            if reference.kind and reference.name:
                yield from _held_object(waiter, reference, entry, held_list)
    if waiter.kind.labels:
        for obj in labelled_objects(waiter):
            yield from _held_object(waiter, object_ref_of(obj), {}, HeldList((), {}))


def checks_of(waiter: LiveWaiter) -> Iterator[Check]:
    """The checks about what an object waits for."""
    if not waiter.kind.is_foreign:
        yield from waiter.checked.doing("health-check")
        return
    lists = waiter.kind.holds or (HeldList((), {}),)
    entries = ((entry, item) for item in lists for entry in elements_at(waiter.value, item.at))
    for entry, held_list in (*entries, ({}, lists[0])):
        for checked in _declarations(waiter, entry, held_list):
            yield from checked.checks


def labelled_objects(waiter: LiveWaiter) -> Sequence[Mapping[str, Value]]:
    """The objects with the labels of the controller."""
    names = waiter.reference.name, waiter.reference.namespace
    return waiter.snapshot.labelled(waiter.kind.labels_of(*names))


def held_references(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """The objects in the lists, and those with the checks."""
    for held_list in waiter.kind.holds:
        for entry in elements_at(waiter.value, held_list.at):
            if not waiter.elsewhere:
                yield reference_in(entry, held_list)
            if held_list.checks and (declarer := _reference(mapping_at(entry, held_list.checks))):
                yield declarer
    yield from _definitions(waiter)


def elements_at(value: Value, path: FieldPath) -> Iterator[Value]:
    """The elements of the lists, or the mapping, at a path; `*` is each element of a list."""
    for items in values_at(value, path):
        yield from items if isinstance(items, list) else [items] if items else []


def reference_in(entry: Value, held_list: HeldList) -> ObjectRef:
    """The object that an entry names."""
    parts = {**held_list.constants}
    parts |= {name: text_at(entry, path) for name, path in held_list.names.items()}
    group, version = parts.get("group", ""), parts.get("version", "") or "v1"
    api_version = parts.get("apiVersion") or (f"{group}/{version}" if group else version)
    return ObjectRef(api_version, parts["kind"], parts.get("namespace", ""), parts["name"])


def _held_object(
    waiter: LiveWaiter, reference: ObjectRef, entry: Value, held_list: HeldList
) -> Iterator[HeldObject]:
    """The object; none if nobody knows how it is."""
    value = None if waiter.elsewhere else waiter.snapshot.find(reference)
    conditions = conditions_in(list_at(entry, ("conditions",)))
    told = next((state for state in held_list.states if meets(state.when, entry, conditions)), None)
    messages = [conditions[test.type].message for test in told.when if test.type] if told else []
    message = text_at(entry, held_list.message) or next(filter(None, messages), "")
    if told and told.status == "Current":
        yield HeldObject(reference, value, told.status, message, told=True)
    elif value is not None:
        check = _check_of(waiter, value, entry, held_list)
        verdict = check.verdict if check else catalog_verdict(value, waiter.catalog, waiter.now)
        is_settled = verdict.status in SETTLED and not told
        status = "Current" if is_settled else told.status if told else verdict.status
        words = message or verdict.message
        yield HeldObject(reference, value, status, words, check, told=told is not None)
    elif told:
        yield HeldObject(reference, None, told.status, message, told=True)
    elif waiter.snapshot.covers(reference.group_kind) and not waiter.elsewhere:
        yield HeldObject(reference, None, MISSING.status, MISSING.message)


def _check_of(
    waiter: LiveWaiter, obj: Mapping[str, Value], entry: Value, held_list: HeldList
) -> HeldCheck | None:
    """The check about an object that holds it up, else one that it passes."""
    passed_check = None
    for checked in _declarations(waiter, entry, held_list):
        cluster = ClusterState(objects=(obj,), now=waiter.now, owner=checked.value)
        compute = partial(evaluators, checked)
        for evaluator in waiter.snapshot.remember("evaluators", checked.value, compute):
            if not (evaluator.applies(obj) and _is_named(waiter, checked, evaluator, obj)):
                continue
            verdict = evaluator.evaluate(cluster)
            check = HeldCheck(evaluator, checked, cluster, verdict)
            if verdict.status not in SETTLED:
                return check
            passed_check = check
    return passed_check


def _declarations(waiter: LiveWaiter, entry: Value, held_list: HeldList) -> Iterator[CheckedObject]:
    """The objects that declare checks about what an object holds."""
    if waiter.kind.check and not waiter.kind.check.kind:
        yield waiter.checked
    declarer = _reference(mapping_at(entry, held_list.checks)) if held_list.checks else None
    for reference in (*([declarer] if declarer else ()), *_definitions(waiter)):
        if declaration := waiter.snapshot.find(reference):
            compute = partial(check_value, declaration, waiter.catalog)
            yield waiter.snapshot.remember("checked", declaration, compute)


def _definitions(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """The objects with checks that an object names, else the one that defines its kind."""
    place = waiter.kind.check
    if place is None:
        return
    api_version = f"{place.group}/{place.version}"
    for path in place.at:
        name = text_at(waiter.value, path)
        if name:
            yield ObjectRef(api_version, place.kind, "", name)
    group, kind, name = waiter.kind.definition
    if (group, kind) == (place.group, place.kind):
        yield ObjectRef(api_version, kind, "", name)


def _is_named(
    waiter: LiveWaiter, checked: CheckedObject, evaluator: Evaluator, obj: Mapping[str, Value]
) -> bool:
    """Whether a check is about this object among those of its kind."""
    place = waiter.kind.check
    if place is None or not place.names:
        return True
    scope = get(checked.value, evaluator.path[: len(evaluator.path) - place.up])
    return all(get(obj, ours) == get(scope, theirs) for ours, theirs in place.names)


def _reference(value: Mapping[str, Value]) -> ObjectRef | None:
    names = ("apiVersion", "kind", "namespace", "name")
    reference = ObjectRef(*(text_at(value, (name,)) for name in names))
    return reference if reference.name else None


def _is_near(path: Sequence[str | int], cause: Sequence[str | int]) -> bool:
    """Whether a text is at a place, or within it."""
    return bool(cause) and tuple(path[: len(cause)]) == tuple(cause)
