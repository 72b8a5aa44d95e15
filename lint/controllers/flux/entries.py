"""The entries of `healthCheckExprs`, compiled, and what stalls their object.

Mirrors `NewStatusReader` and `NewStatusEvaluator` of `fluxcd/pkg/runtime/cel`
(v0.110).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from celvet.lint.controllers.expression import program_at, refusal, terminal
from celvet.lint.controllers.judge import Program
from celvet.lint.controllers.unstructured import elements, kind_of
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.model import GroupKind, Path, Value

_PLACE = ("spec", "healthCheckExprs")
_TRIED = ("inProgress", "failed", "current")
_COMPILED = ("current", "failed", "inProgress")
"""Roles in the order in which Flux compiles them, which is not that of evaluation."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry; its kind is empty where it holds for the whole group.

    `programs` are in the order in which they are tried.
    """

    path: Path
    group_kind: GroupKind
    programs: tuple[Program, ...]


def entries(declaration: Value) -> tuple[Entry, ...]:
    """The entries that are objects; anything else never reaches the controller."""
    return tuple(
        _entry((*_PLACE, index), value)
        for index, value in enumerate(elements(declaration, *_PLACE))
        if isinstance(value, dict)
    )


def stalled(declared: Sequence[Entry]) -> Verdict | None:
    """The verdict on everything where one entry is refused: the object is not reconciled."""
    return next(_refusals(declared), None)


def _entry(path: Path, value: Value) -> Entry:
    programs = (program_at(value, path, role, "flux-health") for role in _TRIED)
    return Entry(path, kind_of(value), tuple(filter(None, programs)))


def _refusals(declared: Sequence[Entry]) -> Iterator[Verdict]:
    seen: set[GroupKind] = set()
    for entry in declared:
        place = f"healthchecks[{entry.path[-1]}]"
        if entry.group_kind in seen:
            words = f"duplicate custom health check for GroupKind {entry.group_kind}"
            yield terminal(f"{words} at {place}", entry.path)
        seen.add(entry.group_kind)
        for error, path in _faults(entry):
            yield terminal(f"failed to create custom status evaluator for {place}: {error}", path)


def _faults(entry: Entry) -> Iterator[tuple[str, Path]]:
    """What is wrong with the texts of an entry, and where."""
    by_role = {each.role: each for each in entry.programs}
    if "current" not in by_role:
        yield "expression Current not specified", entry.path
    for role in filter(by_role.__contains__, _COMPILED):
        found = by_role[role]
        if error := refusal(found):
            name = role[0].upper() + role[1:]
            yield f"failed to parse the expression {name}: {error}", found.path
