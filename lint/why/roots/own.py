"""The roots that an object that waits is itself: errors of its conditions, suspension, cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.model import ObjectRef, field_path
from celvet.lint.safe_text import one_line
from celvet.lint.values import get
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.names import title
from celvet.lint.why.outlook.life import error_rule
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.report import Root
from celvet.lint.why.roots.state import condition_fields, state_fields

_WIDTH = 600
_MOST_NAMES = 8


def suspended_root(waiter: LiveWaiter) -> Root:
    """The root that a suspended object is: nobody reconciles it."""
    path = waiter.kind.suspended
    return Root(
        waiter.reference,
        "suspended",
        f"{title(waiter.reference)} is suspended, so its controller leaves it as it is",
        OutlookRule.SUSPENDED,
        field=field_path(path),
        observed={
            field_path(path): get(waiter.value, path),
            "status.observedGeneration": get(waiter.value, ("status", "observedGeneration")),
            **dict(condition_fields(waiter.value)),
        },
    )


def error_root(waiter: LiveWaiter, cause: str) -> Root:
    """The root that an object is by the error in its own conditions."""
    return Root(
        waiter.reference,
        cause,
        f"{title(waiter.reference)}: {one_line(waiter.message, _WIDTH)}",
        OutlookRule.STALLED if "Stalled" in waiter.conditions else error_rule(waiter.message),
        observed=dict(condition_fields(waiter.value)),
    )


def named_roots(waiter: LiveWaiter) -> Iterator[Root]:
    """The objects that the message of a failed wait names, for those that cannot be read."""
    for reference, status in waiter.named_objects:
        words = f"{title(reference)} is {status}, in another cluster"
        yield Root(reference, "kstatus", words, OutlookRule.UNREAD)


def missing_root(waiter: LiveWaiter, reference: ObjectRef, *, applied: bool) -> Root:
    """The root that an object is which does not exist; an applied one is applied again."""
    again = f"; {title(waiter.reference)} applies it again when it is reconciled" if applied else ""
    return Root(
        reference,
        "missing",
        f"{title(reference)} does not exist{again}",
        OutlookRule.MISSING_APPLIED if applied else OutlookRule.MISSING,
    )


def unread_root(reference: ObjectRef) -> Root:
    """The root that an object must be which is not among those that were read."""
    words = f"{title(reference)} was not found here; all else that is waited for is ready"
    return Root(reference, "missing", words, OutlookRule.UNREAD)


def lagging_root(waiter: LiveWaiter, message: str) -> Root:
    """The root that a ready dependency is which has not seen the newest state yet."""
    revision = waiter.kind.revision
    values = {field_path(revision): get(waiter.value, revision)} if revision else {}
    return Root(
        waiter.reference,
        "kstatus",
        f"{title(waiter.reference)}: {one_line(message, _WIDTH)}",
        OutlookRule.OUTDATED,
        observed={**values, **dict(state_fields(waiter.value))},
    )


def cycle_root(waiters: Sequence[LiveWaiter]) -> Root:
    """The root of objects that wait for each other: the first of them by name."""
    ordered_waiters = sorted(waiters, key=lambda waiter: title(waiter.reference))
    first = ordered_waiters[0]
    names = [title(waiter.reference) for waiter in (*waiters, waiters[0])]
    parts = names if len(names) <= _MOST_NAMES else [*names[: _MOST_NAMES - 1], "...", names[-1]]
    chain = " -> ".join(parts)
    words = f"these wait for each other: {chain}"
    return Root(first.reference, "cycle", words, OutlookRule.CYCLE)
