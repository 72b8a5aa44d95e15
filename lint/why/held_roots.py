"""The roots among the objects that an object holds by its own list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from celvet.lint.cel import Compiled
from celvet.lint.checks import PathExpression
from celvet.lint.model import Value, field_path
from celvet.lint.safe_text import one_line
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.why.dependencies import Hold, Waiters, waiter_hold
from celvet.lint.why.held import HeldCheck, HeldObject, held_objects
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.outlook.life import error_rule
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.report import Root
from celvet.lint.why.roots.expressions import decide, foretold, sentence, visible
from celvet.lint.why.roots.own import missing_root
from celvet.lint.why.roots.state import condition_fields, ending_of, state_root
from celvet.lint.why.snapshot import key_of
from celvet.record import replace

_WIDTH = 300


def held_holds(waiter: LiveWaiter, waiters: Waiters) -> Iterator[Hold]:
    """What holds up an object among what it holds; the object itself if that is nothing."""
    objects = [item for item in held_objects(waiter) if _is_unsettled(item, waiters)]
    for item in objects:
        yield _hold(waiter, item, waiters)
    if not objects:
        yield state_root(waiter, waiter.value, Verdict(status="InProgress", error=waiter.message))


def _is_unsettled(item: HeldObject, waiters: Waiters) -> bool:
    """Whether an object holds its holder up; one that waits itself, until it is ready."""
    item_waiter = waiters.get(key_of(item.reference))
    return item.unsettled or (
        item_waiter is not None and not (item.told or item.check or item_waiter.ready)
    )


def _hold(waiter: LiveWaiter, item: HeldObject, waiters: Waiters) -> Hold:
    item_waiter = waiters.get(key_of(item.reference))
    if item_waiter is not None and (item_waiter.suspended or not item_waiter.ready):
        return waiter_hold(item_waiter, item.message)
    if item.value is None:
        return _distant_root(waiter, item)
    if item.check:
        return _check_root(waiter, item, item.value, item.check)
    verdict = Verdict(status=item.status, message=item.message)
    return state_root(waiter, item.value, verdict)


def _distant_root(waiter: LiveWaiter, item: HeldObject) -> Root:
    """The root that an object is of which there is only what its holder says."""
    if not waiter.elsewhere:
        root = missing_root(waiter, item.reference, applied=True)
        return replace(root, rule=error_rule(item.message, root.rule))
    message = one_line(item.message, _WIDTH) or "it is not ready"
    words = f"{title(item.reference)}: {message} (in another cluster)"
    return Root(item.reference, "kstatus", words, error_rule(item.message, OutlookRule.UNREAD))


def _check_root(
    waiter: LiveWaiter, item: HeldObject, obj: Mapping[str, Value], check: HeldCheck
) -> Root:
    """The root that an object is because of a check that its holder makes."""
    kind = item.reference.group_kind
    expression = check.expression
    cause = check.verdict.cause
    values: dict[str, Value] = dict(condition_fields(obj))
    text, finding = "", ""
    words = check.verdict.error or check.verdict.message or item.message
    if expression and isinstance(expression.program, Compiled):
        # Of CEL, the part that decides is known; of a path, only what it reads.
        choice = decide(expression, check.evaluator.variables(check.variables))
        text, words = choice.expression, sentence(choice, kind)
        values |= choice.observed
    elif expression is not None:
        text = expression.program.text
        result = cast("PathExpression", expression).program.read(obj)
        values[text] = result.value
        words = f"`{text}` is {result.error or result.value}" + (f": {words}" if words else "")
    if expression is not None:
        finding = foretold(check.checked, expression, waiter.catalog)
    ending = ending_of(waiter, obj)
    path = expression.path if expression else cause.path if cause else check.evaluator.path
    return Root(
        object_ref_of(obj),
        "expression",
        f"{title(item.reference)}: {one_line(words, _WIDTH)}{ending.clause(words)}",
        OutlookRule.NEVER_TRUE if finding else ending.rule,
        field=field_path(path),
        holder=check.reference,
        expression=text,
        observed=visible(values, kind),
        evidence=ending.evidence,
        finding=finding,
    )
