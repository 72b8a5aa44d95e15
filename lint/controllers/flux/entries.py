"""What Flux refuses of the entries of `healthCheckExprs`, which stalls their object.

Mirrors `NewStatusReader` and `NewStatusEvaluator` of `fluxcd/pkg/runtime/cel`
(v0.110).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.checks import Check
from celvet.lint.controllers.flux_cel import refusal, terminal
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.model import GroupKind, Path

_COMPILED = ("current", "failed", "inProgress")
"""Roles in the order in which Flux compiles them, which is not that of evaluation."""


def stalled(entries: Sequence[Check]) -> Verdict | None:
    """The verdict on everything where one entry is refused: the object is not reconciled."""
    return next(_refusals(entries), None)


def _refusals(entries: Sequence[Check]) -> Iterator[Verdict]:
    seen: set[GroupKind] = set()
    for entry in entries:
        place, kind = f"healthchecks[{entry.path[-1]}]", entry.named
        if kind in seen:
            words = f"duplicate custom health check for GroupKind {kind}"
            yield terminal(f"{words} at {place}", entry.path)
        seen.add(kind)
        for error, path in _faults(entry):
            yield terminal(f"failed to create custom status evaluator for {place}: {error}", path)


def _faults(entry: Check) -> Iterator[tuple[str, Path]]:
    """What is wrong with the texts of an entry, and where."""
    if "current" not in entry:
        yield "expression Current not specified", entry.path
    for role in _COMPILED:
        for expression in entry.cel:
            if expression.role == role and (error := refusal(expression)):
                name = role[0].upper() + role[1:]
                yield f"failed to parse the expression {name}: {error}", expression.path
