"""The expressions that decide together about one object, and how their controller puts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lint.cel import Bound, Compiled, Outcome, unknown_calls, variables
from lint.cel.tree import Node, walk
from lint.lifecycle.building import get
from lint.model import GroupKind, Value
from lint.systems.evaluator import ANSWERS

READY = "readyExpr"
_MOST_NODES = 400
"""Nodes of all trees together; the largest real expression known has 38."""

_GATE = {READY: "Ready"}
_ELSEWHERE = frozenset({"dep", "obj", "object", "oldObject", "resource", "self", "this"})
"""Names of the object in other uses of CEL; where there is no such variable, nothing is told."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One entry of health checks, or one gate of a dependency.

    `programs` are by role, in the order in which they are tried. `root` leads
    to the object under check among the variables.
    """

    programs: Mapping[str, Compiled]
    group_kind: GroupKind
    root: tuple[str, ...] = ()

    @property
    def gate(self) -> bool:
        """Whether this is a `readyExpr`."""
        return READY in self.programs

    def trees(self) -> list[Node]:
        """The syntax trees, in the order of the roles."""
        return [program.tree for program in self.programs.values() if program.tree]

    def outcomes(self, variables: Value) -> dict[str, Outcome]:
        """What each expression gives, by role."""
        bound = Bound(variables)
        return {role: each.evaluate(bound).boolean() for role, each in self.programs.items()}

    def verdict(self, variables: Value, outcomes: Mapping[str, Outcome]) -> str:
        """What the controller says, given what its expressions give; an error is `Unknown`.

        As `lint.systems.evaluator` has it, without evaluating anything again. Of
        a gate the words are ours, `Ready` and `NotReady`.
        """
        waits, answers = ("NotReady", _GATE) if self.gate else ("InProgress", ANSWERS)
        if not self.gate and _behind(variables):
            return waits
        for role, outcome in outcomes.items():
            if outcome.error:
                return "Unknown" if outcome.analysed else "not analysed"
            if outcome.value is True:
                return answers[role]
        return waits


def _behind(variables: Value) -> bool:
    """Whether the object's own controller says that it has not seen the newest generation."""
    observed, wanted = (
        get(variables, path)
        for path in (("status", "observedGeneration"), ("metadata", "generation"))
    )
    return type(observed) is int and type(wanted) is int and observed != wanted


def subject(
    texts: Mapping[str, Value], programs: Mapping[str, Compiled], group_kind: GroupKind
) -> Subject | None:
    """The subject that the expressions of a mapping are, None where nothing can be foretold.

    That is: one of the texts is missing its program, is refused, is beyond our
    limits, or calls and names what does not exist, which other rules report.
    """
    roles = [role for role in ANSWERS if role in programs or texts.get(role)]
    roles = [READY] if READY in programs else roles
    chosen = {role: programs[role] for role in roles if role in programs}
    if len(chosen) < len(roles) or roles[-1:] not in ([READY], ["current"]):
        return None
    if not all(map(_sound, chosen.values())) or _nodes(chosen) > _MOST_NODES:
        return None
    known = chosen[roles[-1]].dialect.variables
    return Subject(chosen, group_kind, ("dep",) if "dep" in known else ())


def _nodes(programs: Mapping[str, Compiled]) -> int:
    return sum(1 for each in programs.values() if each.tree for _ in walk(each.tree))


def _sound(program: Compiled) -> bool:
    known = program.dialect.variables
    return bool(
        program.tree
        and program.analysed
        and not program.refusals
        and not unknown_calls(program)
        and all(name in known or name not in _ELSEWHERE for name, _ in variables(program))
    )
