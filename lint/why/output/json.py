"""JSON, as `docs/why.schema.json` describes it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from celvet.lint.safe_text import json_text
from celvet.lint.why.report import Root, WaiterReport, WhyReport

_VERSION = 1


def render(report: WhyReport, color: bool) -> str:
    """One document; `roots` of a waiter are places in the list of roots."""
    return json_text(
        {
            "version": _VERSION,
            "at": _time(report.at),
            "waiters": [_waiter(waiter) for waiter in report.waiters],
            "roots": [
                _root(root, len(report.dependants(index)))
                for index, root in enumerate(report.roots)
            ],
            "notes": list(report.notes),
        }
    )


def _waiter(waiter: WaiterReport) -> dict[str, Any]:
    return {
        **waiter.object.fields(),
        "verdict": waiter.verdict,
        "since": _time(waiter.since),
        "deadline": _time(waiter.deadline),
        "roots": list(waiter.roots),
        "next": {"event": waiter.next.event, "at": _time(waiter.next.at)},
    }


def _root(root: Root, dependants: int) -> dict[str, Any]:
    return {
        **root.object.fields(),
        "cause": root.cause,
        "field": root.field or None,
        "expression": root.expression or None,
        "observed": dict(root.observed) or None,
        "outlook": root.outlook,
        "evidence": root.evidence or None,
        "finding": root.finding or None,
        "place": root.place or None,
        "dependants": dependants,
        "message": root.message,
    }


def _time(time: datetime | None) -> str | None:
    if time is None:
        return None
    return time.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
