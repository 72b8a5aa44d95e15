"""JSON, for programs; times are in the notation of Go, as in manifests."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from celvet.lint.checks.timing import short
from celvet.lint.graph.clock import Course, GraphClock, QueueWaiter
from celvet.lint.graph.nodes import Edge, Graph
from celvet.lint.safe_text import json_text


def render(report: Graph, color: bool) -> str:
    """One document; the `id` of a node is its place in the list."""
    nodes = [
        {
            "id": number,
            **node.object.fields(),
            "file": node.file or None,
            "line": node.line or None,
            "unapplied": node.unapplied,
        }
        for number, node in enumerate(report.nodes)
    ]
    document = {"nodes": nodes, "edges": [_edge(edge) for edge in report.edges]}
    if report.clocks is not None:
        document["clocks"] = [_clock(clock) for clock in report.clocks]
    return json_text(document)


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "from": edge.source,
        "to": edge.target,
        "relation": edge.relation,
        "test": edge.test or None,
        "expressions": dict(edge.expressions),
        "deadline": None if edge.deadline is None else short(edge.deadline),
        "never": edge.never or None,
        "cycle": edge.cycle,
    }


def _clock(clock: GraphClock) -> dict[str, Any]:
    return {
        "ready": {"best": _end(clock, clock.best), "worst": _end(clock, clock.worst)},
        "line": clock.worst.line(),
        "workers": {
            pool: {
                "count": count,
                "waits": sum(waiter.waits for waiter in clock.waiters if waiter.pool == pool),
                "atOnce": clock.at_once[pool],
                "mayFailAtOnce": sum(waiter.pool == pool for waiter in clock.first),
            }
            for pool, count in clock.workers.items()
        },
        "waiters": [_waiter(waiter, clock) for waiter in clock.waiters],
    }


def _end(clock: GraphClock, course: Course) -> str | None:
    """When all are ready; null if one never is."""
    return short(course.end) if len(course.ready) == len(clock.waiters) else None


def _waiter(waiter: QueueWaiter, clock: GraphClock) -> dict[str, Any]:
    node = waiter.node
    best, worst = (_time(course.ready.get(node)) for course in (clock.best, clock.worst))
    return {
        "id": node,
        "ready": {"best": best, "worst": worst},
        "after": clock.worst.after.get(node),
        "queued": node in clock.worst.queued,
        "timeout": _time(waiter.timeout) if waiter.waits else None,
        "outlasted": node in clock.worst.failed,
        "retry": _time(waiter.retry),
        "retryInterval": None if waiter.retry is None else not waiter.instead_of,
        "heldUp": clock.held_up(node),
    }


def _time(time: timedelta | None) -> str | None:
    return None if time is None else short(time)
