"""Text for a terminal: each root, what it holds up, and what comes next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from celvet.lint.checks.timing import short
from celvet.lint.model import ObjectRef
from celvet.lint.safe_text import one_line, terminal_text
from celvet.lint.why.names import reason
from celvet.lint.why.outlook.rules import NEEDS_CHANGE, RECOVERS
from celvet.lint.why.report import Root, WaiterReport, WhyReport
from celvet.regex import regex

_RED, _YELLOW, _GREEN, _DIM, _BOLD, _PLAIN = (
    "\x1b[31m",
    "\x1b[33m",
    "\x1b[32m",
    "\x1b[2m",
    "\x1b[1m",
    "\x1b[0m",
)
_OUTLOOKS = {NEEDS_CHANGE: ("needs a change", _RED), RECOVERS: ("recovers by itself", _YELLOW)}
_EVENTS = {
    "timeout": "the wait of {} ends",
    "retry": "{} is tried again",
    "reconcile": "{} is looked at again",
}
_CONDITION = regex(r"status\.conditions\[type=(.+)\]\.status")
_SHOWN = ("expression", "kstatus", "dependency-expression")
_MOST_ROOTS = 20
_MOST_DEPENDANTS = 8
_MOST_OBSERVED = 6
_WIDTH = 160


def render(report: WhyReport, color: bool) -> str:
    """The roots with most dependants first, then what has no root, then a summary."""
    lines = [*_report_lines(report)]
    return "".join(f"{_painted(line, style, color)}\n" for style, line in lines)


def _report_lines(report: WhyReport) -> Iterator[tuple[str, str]]:
    order = sorted(
        range(len(report.roots)),
        key=lambda index: (
            report.roots[index].outlook != NEEDS_CHANGE,
            -len(report.dependants(index)),
        ),
    )
    for index in order[:_MOST_ROOTS]:
        yield from _root_lines(report, index)
        yield "", ""
    if len(order) > _MOST_ROOTS:
        yield "", f"and {len(order) - _MOST_ROOTS} more roots; the other formats have all"
        yield "", ""
    yield from _unexplained_lines(report)
    yield from (("", f"note: {note}") for note in report.notes)
    yield "", f"{report.summary} (at {_clock(report.at)})"


def _root_lines(report: WhyReport, index: int) -> Iterator[tuple[str, str]]:
    root = report.roots[index]
    words, style = _OUTLOOKS.get(root.outlook, ("may need a change", _YELLOW))
    yield _BOLD, f"{_title(root.object)}: {words}"
    yield style, f"  {reason(root)}"
    if root.field:
        place = f" ({root.place})" if root.place else ""
        yield _DIM, f"  by {root.field} of {_title(root.holder or root.object)}{place}"
    if root.finding:
        yield "", f"  celvet lint: {root.finding}"
    yield from _observed_lines(root)
    if root.command:
        yield "", f"  look: {root.command}"
    waiters = report.held_by(index)
    # First those that wait for the root itself, then those behind them.
    dependants = sorted(report.dependants(index), key=lambda waiter: waiter.verdict == "blocked")
    if dependants:
        yield "", f"  holds up {len(dependants)}:"
        for waiter in dependants[:_MOST_DEPENDANTS]:
            yield "", f"    {_title(waiter.object)}  {waiter.verdict}{_span(waiter, report.at)}"
        if len(dependants) > _MOST_DEPENDANTS:
            yield "", f"    and {len(dependants) - _MOST_DEPENDANTS} more"
    yield from _next_lines(waiters, report.at)


def _observed_lines(root: Root) -> Iterator[tuple[str, str]]:
    """The values that the message does not have; of conditions their type and status.

    A message with an error, or with what a pod or an Event tells, says enough.
    """
    has_reason = any(path.startswith(("pod.", "event.")) for path in root.observed)
    if root.cause not in _SHOWN or has_reason:
        return
    fields = {
        path: value for path, value in root.observed.items() if f"{path}`" not in root.message
    }
    values = [
        f"{_shown_path(path)}={value if isinstance(value, str) else json.dumps(value)}"
        for path, value in fields.items()
        if not path.endswith("].reason") and str(value) not in root.message
    ]
    if values:
        more = ", ..." if len(values) > _MOST_OBSERVED else ""
        yield _DIM, f"  {one_line(', '.join(values[:_MOST_OBSERVED]), _WIDTH)}{more}"


def _shown_path(path: str) -> str:
    """The type of a condition instead of the path of its status."""
    return _CONDITION.sub(lambda match: match[1], path)


def _next_lines(waiters: Sequence[WaiterReport], now: datetime) -> Iterator[tuple[str, str]]:
    """The next event of those that the root holds up first, else that nothing comes."""
    coming = sorted(
        (waiter for waiter in waiters if waiter.next.at and waiter.verdict != "ready"),
        key=lambda waiter: (waiter.verdict == "blocked", waiter.next.at),
    )
    if coming:
        waiter = coming[0]
        at = waiter.next.at or now
        event = _EVENTS[waiter.next.event].format(_title(waiter.object))
        if at > now:
            yield _BOLD, f"  Next: at {_clock(at)}, in {short(_whole(at - now))}, {event}"
        else:
            doubt = "if nothing happens, see whether its controller runs"
            yield _BOLD, f"  Next: due now, {event}; {doubt}"
    elif final := [waiter for waiter in waiters if waiter.next.event == "none"]:
        yield _BOLD, f"  Next: nothing, until somebody changes {_title(final[0].object)}"


def _unexplained_lines(report: WhyReport) -> Iterator[tuple[str, str]]:
    """What waits although nothing holds it up any more, then what nobody has looked at."""
    waiters = [w for w in report.waiters if not w.roots and w.verdict not in ("ready", "suspended")]
    unseen = [w for w in waiters if w.next.event == "reconcile" and w.next.at is None]
    other_waiters = [w for w in waiters if w not in unseen]
    yield from _group_lines("Nothing holds these up any more:", other_waiters, report)
    yield from _group_lines("Their controller is at work, or has yet to begin:", unseen, report)


def _group_lines(
    heading: str, rest: Sequence[WaiterReport], report: WhyReport
) -> Iterator[tuple[str, str]]:
    if not rest:
        return
    yield _BOLD, heading
    for waiter in rest[:_MOST_DEPENDANTS]:
        yield "", f"  {_title(waiter.object)}  {waiter.verdict}{_span(waiter, report.at)}"
        yield from ((style, f"  {line}") for style, line in _next_lines([waiter], report.at))
    if len(rest) > _MOST_DEPENDANTS:
        yield "", f"  and {len(rest) - _MOST_DEPENDANTS} more"
    yield "", ""


def _span(waiter: WaiterReport, now: datetime) -> str:
    since = f" for {short(_whole(now - waiter.since))}" if waiter.since else ""
    until = f", until {_clock(waiter.deadline)}" if waiter.deadline else ""
    return f"{since}{until}"


def _title(reference: ObjectRef) -> str:
    name = "/".join(filter(None, (reference.namespace, reference.name)))
    return f"{reference.kind} {name}"


def _whole(span: timedelta) -> timedelta:
    return timedelta(seconds=max(0, round(span.total_seconds())))


def _clock(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%H:%M:%SZ")


def _painted(line: str, style: str, color: bool) -> str:
    text = terminal_text(line)
    return f"{style}{text}{_PLAIN}" if color and style and text else text
