"""Finds waits that never end: checks that never succeed, and cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.engine import Crash, Settings
from celvet.lint.engine.run_rules import run_rules_on
from celvet.lint.graph.nodes import Edge
from celvet.lint.model import Finding, Path, Severity
from celvet.lint.rule_ids import NEVER_TRUE
from celvet.record import replace


def never(checked: CheckedObject, settings: Settings) -> Mapping[Path, str]:
    """Why checks of an object never succeed, by their paths.

    The reason is an error of the rules, or an expression that must be true and never is. Nothing is
    known about a text with an unresolved variable.
    """
    closed_checks = [check for check in checked.checks if check.expressions and not _open(check)]
    reasons: dict[Path, str] = {}
    for outcome in run_rules_on(checked, settings) if closed_checks else ():
        if isinstance(outcome, Crash):
            continue
        for check in closed_checks:
            if _prevents(outcome, check):
                reasons.setdefault(check.path, outcome.message)
    return reasons


def _open(check: Check) -> bool:
    return any("${" in expression.program.text for expression in check.expressions)


def _prevents(finding: Finding, check: Check) -> bool:
    path = finding.where.path
    if path[: len(check.path)] != check.path:
        return False
    if finding.rule != NEVER_TRUE or finding.counterexample:
        return finding.severity is Severity.ERROR
    needs = check.dialect.needs if check.dialect else ""
    return bool(needs) and path[len(check.path) :][:1] == (needs,)


def with_cycles(edges: Sequence[Edge]) -> Iterator[Edge]:
    """The edges; those between objects that wait for each other's readiness are marked.

    An expression may be true before its object is ready.
    """
    waits = [edge for edge in edges if edge.test == "ready"]
    group = _groups(waits)
    for edge in edges:
        cycle = edge.test == "ready" and group[edge.source] == group[edge.target]
        yield replace(edge, cycle=True) if cycle else edge


def _groups(edges: Sequence[Edge]) -> dict[int, int]:
    """The strongly connected component of each node, after Kosaraju."""
    ahead: dict[int, list[int]] = {}
    back: dict[int, list[int]] = {}
    for edge in edges:
        ahead.setdefault(edge.source, []).append(edge.target)
        back.setdefault(edge.target, []).append(edge.source)
    group: dict[int, int] = {}
    for start in reversed(_finished(ahead)):
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in group:
                group[node] = start
                stack += back.get(node, ())
    return group


def _finished(ahead: Mapping[int, Sequence[int]]) -> list[int]:
    """The nodes in the order in which a depth-first search leaves them."""
    visited_nodes: set[int] = set()
    order: list[int] = []
    stack = [(start, False) for start in ahead]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in visited_nodes:
            visited_nodes.add(node)
            stack.append((node, True))
            stack += ((successor, False) for successor in ahead.get(node, ()))
    return order
