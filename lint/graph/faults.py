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

_READINESS = ("applied", "ready")
"""The tests that an object passes by its own reconciliation."""


def failure_reasons(checked: CheckedObject, settings: Settings) -> Mapping[Path, str]:
    """Why checks of an object never succeed, by their paths.

    The reason is an error of the rules, or an expression that must be true and never is. Nothing is
    known about a text with an unresolved variable.
    """
    complete_checks = [
        check for check in checked.checks if check.expressions and not _has_variables(check)
    ]
    reasons: dict[Path, str] = {}
    for outcome in run_rules_on(checked, settings) if complete_checks else ():
        if isinstance(outcome, Crash):
            continue
        for check in complete_checks:
            if _prevents(outcome, check):
                reasons.setdefault(check.path, outcome.message)
    return reasons


def _has_variables(check: Check) -> bool:
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
    group = _groups([edge for edge in edges if edge.test in _READINESS])
    for edge in edges:
        cycle = edge.test in _READINESS and group[edge.source] == group[edge.target]
        yield replace(edge, cycle=True) if cycle else edge


def _groups(edges: Sequence[Edge]) -> dict[int, int]:
    """The strongly connected component of each node, after Kosaraju."""
    successors: dict[int, list[int]] = {}
    predecessors: dict[int, list[int]] = {}
    for edge in edges:
        successors.setdefault(edge.source, []).append(edge.target)
        predecessors.setdefault(edge.target, []).append(edge.source)
    # Backwards from the node left last, only its own component can be reached.
    group: dict[int, int] = {}
    for start in reversed(_leaving_order(successors)):
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in group:
                group[node] = start
                stack += predecessors.get(node, ())
    return group


def _leaving_order(successors: Mapping[int, Sequence[int]]) -> list[int]:
    """The nodes in the order in which a depth-first search leaves them."""
    visited_nodes: set[int] = set()
    order: list[int] = []
    stack = [(start, False) for start in successors]
    while stack:
        node, is_left = stack.pop()
        if is_left:
            order.append(node)
        elif node not in visited_nodes:
            visited_nodes.add(node)
            stack.append((node, True))
            stack += ((successor, False) for successor in successors.get(node, ()))
    return order
