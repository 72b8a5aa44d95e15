"""When the controller of an object acts next, by the times that the catalogue has of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from celvet.lint.go.durations import duration
from celvet.lint.values import get, text_at
from celvet.lint.why.live_waiter import LiveWaiter
from celvet.lint.why.report import NOTHING_COMES, ComingEvent
from celvet.lint.why.snapshot import latest, time_at
from celvet.schemas.live.holding import path_of
from celvet.schemas.live.waiter import NextEvent

_EVENT = "event "
_LATENESS = timedelta(seconds=2)
"""Times are in whole seconds, and each look adds how long it takes to the period."""

_MOST_FAILURES = 12
"""After so many failures, the delay of the rate limiter has reached its longest."""


def next_event(waiter: LiveWaiter) -> ComingEvent:
    """The next event; `none` if only a change of the object wakes the controller."""
    if waiter.suspended:
        return _end_of_wait(waiter)
    if waiter.state is None and not waiter.deleted:
        return ComingEvent("reconcile")
    following = _following(waiter)
    if following is None:
        # Of other systems only the states are known that their controllers do not leave.
        goes_on = waiter.kind.is_foreign and waiter.verdict in ("waiting", "ready")
        return ComingEvent("reconcile") if goes_on else NOTHING_COMES
    return _coming(waiter, following)


def _end_of_wait(waiter: LiveWaiter) -> ComingEvent:
    """A wait that had begun before its object was suspended goes on to its end."""
    following = waiter.state.next if waiter.state else None
    if following is None or following.event != "timeout":
        return NOTHING_COMES
    coming = _coming(waiter, following)
    return coming if coming.at and coming.at > waiter.now else NOTHING_COMES


def _coming(waiter: LiveWaiter, following: NextEvent) -> ComingEvent:
    since = latest(_times(waiter, following))
    if since is None:
        return ComingEvent(following.event)
    at = (
        _after_failures(waiter, following, since)
        if following.backoff
        else _after(waiter, following, since)
    )
    return ComingEvent(following.event, max(at, waiter.now) if at else None)


def _following(waiter: LiveWaiter) -> NextEvent | None:
    if waiter.deleted:
        return waiter.kind.deletion
    return waiter.state.next if waiter.state else None


def _times(waiter: LiveWaiter, following: NextEvent) -> Iterator[datetime | None]:
    for name in following.since:
        if name in waiter.conditions:
            yield waiter.conditions[name].since
        elif name.startswith(_EVENT):
            reason = name.removeprefix(_EVENT)
            events = waiter.snapshot.events(waiter.value)
            yield latest(event.last for event in events if event.reason == reason)
        else:
            yield time_at(waiter.value, path_of(name))


def _after(waiter: LiveWaiter, following: NextEvent, since: datetime) -> datetime | None:
    delay = next(_delays(waiter, following), None)
    if delay is None:
        return None
    if not following.repeats or delay <= timedelta():
        return since + delay
    # A controller repeats what changes no condition, so only the period is known.
    late = max(delay * following.jitter, _LATENESS)
    rounds = max(0, (waiter.now - since - delay - late) // delay + 1)
    return since + delay * (1 + rounds)


def _after_failures(waiter: LiveWaiter, following: NextEvent, since: datetime) -> datetime:
    """By the rate limiter: the first delay, doubled after each failure, up to the longest."""
    first, longest = (duration(text) or timedelta() for text in following.backoff)
    failures = get(waiter.value, following.failures) if following.failures else None
    if isinstance(failures, int):
        succeeded = bool(following.success and get(waiter.value, following.success))
        doublings = min(max(failures - succeeded, 0), _MOST_FAILURES)
        return since + min(first * (1 << doublings), longest)
    # The condition is that of the first of equal failures.
    at, delay = since + first, first
    while at < waiter.now:
        delay = min(delay * 2, longest)
        at += delay
    return at


def _delays(waiter: LiveWaiter, following: NextEvent) -> Iterator[timedelta]:
    """Each term of `after` that has a value."""
    for term in following.after:
        delay = duration(term)
        if delay is None and term == "timeout":
            delay = waiter.wait.timing.timeout if waiter.wait else None
        elif delay is None and term.startswith("--"):
            delay = duration(waiter.snapshot.option(waiter.kind.controller, term))
        elif delay is None and " " in term:
            delay = _told(waiter, term)
        elif delay is None:
            delay = duration(text_at(waiter.value, path_of(term)))
        if delay is not None:
            yield delay


def _told(waiter: LiveWaiter, words: str) -> timedelta | None:
    """The duration after these words, in a condition or in the latest Event with them."""
    messages = [condition.message for condition in waiter.conditions.values()]
    messages += [event.message for event in waiter.snapshot.events(waiter.value)]
    pattern = re.compile(rf"{words} ([0-9][0-9.a-zµ]*[a-z])", re.IGNORECASE)
    matches = filter(None, (pattern.search(message[:10_000]) for message in messages))
    return next((delay for match in matches if (delay := duration(match[1])) is not None), None)
