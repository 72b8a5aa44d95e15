"""What holds up an object that depends on others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from celvet.lint.checks import CelExpression, Check
from celvet.lint.model import ObjectRef, Value, field_path
from celvet.lint.values import object_ref_of, text_at
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.report import Root
from celvet.lint.why.roots.expressions import decide, foretold, reads_status, sentence, visible
from celvet.lint.why.roots.own import lagging_root, missing_root, suspended_root
from celvet.lint.why.roots.sources import revision_of
from celvet.lint.why.roots.state import ending_of, state_root
from celvet.lint.why.snapshot import Key, key_of

Hold: TypeAlias = Root | Key
"""A root, or another object that waits and whose roots count."""

Waiters: TypeAlias = Mapping[Key, LiveWaiter]


def dependency_holds(waiter: LiveWaiter, waiters: Waiters) -> Iterator[Hold]:
    """What holds up each dependency that is not ready now."""
    for check in waiter.checked.doing("dependency"):
        evaluator = next((item for item in waiter.evaluators if item.path == check.path), None)
        if evaluator:
            yield from _holds(waiter, check, evaluator, waiters)


def dependency_references(waiter: LiveWaiter) -> Iterator[ObjectRef]:
    """The objects that it depends on."""
    for check in waiter.checked.doing("dependency"):
        evaluator = next((item for item in waiter.evaluators if item.path == check.path), None)
        if evaluator:
            yield _reference(waiter, check, evaluator)


def _holds(
    waiter: LiveWaiter, check: Check, evaluator: Evaluator, waiters: Waiters
) -> Iterator[Hold]:
    reference = _reference(waiter, check, evaluator)
    dependency = waiter.snapshot.find(reference)
    cluster = ClusterState(
        objects=(dependency,) if dependency else (),
        now=waiter.now,
        owner=waiter.value,
        settings={**waiter.gates, "revision": revision_of(waiter)},
    )
    # The condition of the waiter may be minutes old: only what is not ready now can be a root.
    verdict = evaluator.evaluate(cluster)
    if verdict.status == "True":
        return
    if dependency is None:
        if waiter.snapshot.covers(reference.group_kind) or "not found" in waiter.message:
            yield missing_root(waiter, reference, applied=False)
        return
    other = waiters.get(key_of(reference))
    expression = next(
        (item for item in check.cel if verdict.cause and item.path == verdict.cause.path), None
    )
    if expression:
        yield _expression_hold(waiter, expression, evaluator.variables(cluster), dependency, other)
    elif other is None:
        yield state_root(waiter, dependency, Verdict(status="InProgress", message=verdict.message))
    else:
        yield waiter_hold(other, verdict.message)


def waiter_hold(other: LiveWaiter, message: str) -> Hold:
    """What holds up whoever waits for an object that waits itself."""
    if other.suspended:
        return suspended_root(other)
    return lagging_root(other, message) if other.ready else key_of(other.reference)


def _expression_hold(
    waiter: LiveWaiter,
    expression: CelExpression,
    variables: Mapping[str, Value],
    dependency: Mapping[str, Value],
    other: LiveWaiter | None,
) -> Hold:
    """The expression, unless it waits for the status of an object that is held up itself."""
    choice = decide(expression, variables)
    variable = "dep" if "dep" in variables else ""
    unready = other is not None and (other.suspended or not other.ready)
    # Its status will change when what holds it up is mended, so the root is there.
    if other is not None and unready and other.cause and reads_status(choice, variable=variable):
        return waiter_hold(other, "")
    reference = object_ref_of(dependency)
    finding = foretold(waiter.checked, expression, waiter.catalog)
    # What a settled object says does not change by itself.
    rule = OutlookRule.PASSING_STATE if unready else OutlookRule.READY
    words = sentence(choice, reference.group_kind)
    if other is None:
        ending = ending_of(waiter, dependency)
        rule, words = ending.rule, f"{words}{ending.clause(words)}"
    return Root(
        reference,
        "dependency-expression",
        f"{title(reference)}: {words}",
        OutlookRule.NEVER_TRUE if finding else rule,
        field=field_path(expression.path),
        holder=waiter.reference,
        expression=choice.expression,
        observed=visible(choice.observed, reference.group_kind),
        finding=finding,
    )


def _reference(waiter: LiveWaiter, check: Check, evaluator: Evaluator) -> ObjectRef:
    """The object that an entry names; without a namespace it is in that of the owner."""
    kind = evaluator.group_kind
    owner = waiter.reference
    api_version = text_at(check.value, ("apiVersion",)) or owner.api_version
    namespace = text_at(check.value, ("namespace",)) or (
        "" if check.named.kind else owner.namespace
    )
    name = text_at(check.value, ("name",))
    return ObjectRef(api_version, kind.kind if kind else owner.kind, namespace, name)
