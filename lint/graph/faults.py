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
    known = [each for each in checked.checks if each.expressions and not _open(each)]
    found: dict[Path, str] = {}
    for each in run_rules_on(checked, settings) if known else ():
        if isinstance(each, Crash):
            continue
        for check in known:
            if _prevents(each, check):
                found.setdefault(check.path, each.message)
    return found


def _open(check: Check) -> bool:
    return any("${" in each.program.text for each in check.expressions)


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
    waits = [each for each in edges if each.test == "ready"]
    group = _groups(waits)
    for each in edges:
        cycle = each.test == "ready" and group[each.source] == group[each.target]
        yield replace(each, cycle=True) if cycle else each


def _groups(edges: Sequence[Edge]) -> dict[int, int]:
    """The strongly connected component of each node, after Kosaraju."""
    ahead: dict[int, list[int]] = {}
    back: dict[int, list[int]] = {}
    for each in edges:
        ahead.setdefault(each.source, []).append(each.target)
        back.setdefault(each.target, []).append(each.source)
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
    seen: set[int] = set()
    order: list[int] = []
    stack = [(start, False) for start in ahead]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += ((each, False) for each in ahead.get(node, ()))
    return order
