"""Text for a terminal: a tree of who applies whom, with what each one waits for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from celvet.lint.checks.timing import short
from celvet.lint.graph.clock import GraphClock
from celvet.lint.graph.nodes import Edge, Graph, GraphNode
from celvet.lint.graph.tree import Branch, branches
from celvet.lint.graph.wording import marks, place, title, wait
from celvet.lint.safe_text import terminal_text

_LATE = timedelta(minutes=10)
"""A retry after this time or more is worth a word."""

_RED, _DIM, _PLAIN = "\x1b[31m", "\x1b[2m", "\x1b[0m"


def render(report: Graph, color: bool) -> str:
    """All trees, one below the other, or the clocks of all clusters."""
    if report.clocks is not None:
        return "\n".join("".join(_clock_text(clock, report)) for clock in report.clocks)
    return "".join(
        f"{line}\n"
        for number, branch in enumerate(branches(report))
        for line in _lines(branch, number, color)
    )


def _lines(branch: Branch, number: int, color: bool) -> Iterator[str]:
    if branch.edge is None:
        if number:
            yield ""
        yield _node_text(branch.node, color)
        return
    guides = "".join("   " if is_last else "│  " for is_last in branch.last_flags[:-1])
    wrong = marks(branch.edge)
    indent = f"{guides}{'└─' if branch.last_flags[-1] else '├─'} "
    yield indent + _edge_text(branch.edge, branch.node, color)
    for mark in wrong:
        follow = "   " if branch.last_flags[-1] else "│  "
        text = f"✗ {terminal_text(mark)}"
        yield f"{guides}{follow}{f'{_RED}{text}{_PLAIN}' if color else text}"


def _edge_text(edge: Edge, node: GraphNode, color: bool) -> str:
    where = _node_text(node, color) if edge.relation == "applies" else terminal_text(title(node))
    note = "" if node.file or not node.object.name else " (not in these files)"
    return f"{edge.relation} {where}{note} {terminal_text(wait(edge))}".rstrip()


def _node_text(node: GraphNode, color: bool) -> str:
    at = terminal_text(place(node))
    at = f"{_DIM}{at}{_PLAIN}" if color and at else at
    return f"{terminal_text(title(node))} {f'({at})' if at else ''}".rstrip()


def _clock_text(clock: GraphClock, graph: Graph) -> Iterator[str]:
    """When everything is ready in a cluster, in which line, and what the workers do meanwhile."""
    roots = [waiter for waiter in clock.waiters if waiter.owner is None]
    more = f" and {len(roots) - 1} more" if len(roots) > 1 else ""
    yield f"{_node_text(graph.nodes[roots[0].node], color=False)}{more}\n"
    waits = sum(waiter.waits for waiter in clock.waiters)
    never = len(clock.waiters) - len(clock.best.ready)
    exception = f", but for {never} that never {'is' if never == 1 else 'are'}" if never else ""
    yield f"  objects: {len(clock.waiters)}, of which wait for what they apply: {waits}\n"
    yield (
        f"  ready after {short(clock.best.end)} at best, {short(clock.worst.end)} at"
        f" worst{exception}\n"
    )
    yield from _line_text(clock, graph)
    for pool, count in clock.workers.items():
        yield from _workers_text(pool, count, clock)
    yield from _retry_text(clock, graph)


def _line_text(clock: GraphClock, graph: Graph) -> Iterator[str]:
    """The waiters before the last one at worst, each with the time at which it is ready."""
    line = clock.worst.line()
    waiters = {waiter.node: waiter for waiter in clock.waiters}
    yield "  the longest line at worst:\n"
    for node in line:
        waiter, time = waiters[node], clock.worst.ready.get(node)
        at = "never" if time is None else f"ready {short(time)}"
        wait = f", waits up to {short(waiter.timeout)}" if waiter.waits else ""
        queue = ", once a worker is free" if node in clock.worst.queued else ""
        yield f"    {at:<12} {_title(graph, node)}{wait}{queue}\n"


def _workers_text(pool: str, count: int, clock: GraphClock) -> Iterator[str]:
    """The waits that hold the workers of a kind."""
    waits = [waiter for waiter in clock.waiters if waiter.pool == pool and waiter.waits]
    if not waits:
        return
    starters = sum(waiter.pool == pool for waiter in clock.first)
    longest, at_once = short(max(waiter.timeout for waiter in waits)), clock.at_once[pool]
    excess = at_once - count
    line = f"; {excess} of them {_verb('stand', excess)} in line for a worker" if excess > 0 else ""
    yield f"  {pool}: waits {len(waits)}, at once at worst {at_once}, workers {count}{line}\n"
    yield (
        f"    if the {starters} with no wait before them fail, they hold {min(starters, count)} of"
        f" {count} workers, for up to {longest} at a time\n"
    )


def _retry_text(clock: GraphClock, graph: Graph) -> Iterator[str]:
    """The waits whose failure costs the most time, and those that end before others can."""
    late = [
        (len(clock.held_up(waiter.node)), waiter)
        for waiter in clock.waiters
        if waiter.waits and waiter.instead_of and waiter.retry and waiter.retry >= _LATE
    ]
    for dependants, waiter in sorted(late, key=lambda item: -item[0]):
        remark = f"; {dependants} {_verb('wait', dependants)} for it" if dependants else ""
        yield (
            f"  {_title(graph, waiter.node)}: no `{waiter.instead_of}`, so a failure is retried"
            f" after {short(waiter.retry or _LATE)}{remark}\n"
        )
    stuck = {waiter.node for waiter in clock.waiters if waiter.stuck}
    for node in sorted(clock.worst.failed - stuck):
        yield f"  {_title(graph, node)}: its timeout may end before what it waits for is ready\n"


def _verb(verb: str, subjects: int) -> str:
    return f"{verb}s" if subjects == 1 else verb


def _title(graph: Graph, node: int) -> str:
    return terminal_text(title(graph.nodes[node]))
