"""The expressions that decide together about one object, and how their controller puts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from celvet.lint.cel import Bound, Compiled, Outcome
from celvet.lint.cel.syntax.tree import Node, walk
from celvet.lint.controllers.evaluator import ANSWERS
from celvet.lint.crds.schema import CrdSchema
from celvet.lint.model import GroupKind, Value
from celvet.lint.predict.states.building import get

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
    to the object under check among the variables. `schema` is what the CRD of
    that object says, where it is known.
    """

    programs: Mapping[str, Compiled]
    group_kind: GroupKind
    root: tuple[str, ...] = ()
    schema: CrdSchema | None = None

    @property
    def gate(self) -> bool:
        """Whether this is a `readyExpr`."""
        return READY in self.programs

    def trees(self) -> list[Node]:
        """The syntax trees, in the order of the roles."""
        return [program.tree for program in self.programs.values() if program.tree]

    def outcomes(self, variables: Value) -> Outcomes:
        """What each expression gives, by role."""
        return Outcomes(self.programs, variables)

    def verdict(self, variables: Value, outcomes: Mapping[str, Outcome]) -> str:
        """What the controller says, given what its expressions give; an error is `Unknown`.

        As `celvet.lint.controllers.evaluator` has it, without evaluating anything again. Of
        a gate the words are ours, `Ready` and `NotReady`.
        """
        waits, answers = ("NotReady", _GATE) if self.gate else ("InProgress", ANSWERS)
        if not self.gate and _behind(variables):
            return waits
        for role, outcome in outcomes.items():  # the last ones may never be asked for
            if outcome.error:
                return "Unknown" if outcome.analysed else "not analysed"
            if outcome.value is True:
                return answers[role]
        return waits


class Outcomes(Mapping[str, Outcome]):
    """What each expression of a subject gives on some variables; each is evaluated when asked for.

    The verdict is settled by the first that is true or errs, and most states are asked for no more.
    """

    __slots__ = ("_bound", "_known", "_programs")

    def __init__(self, programs: Mapping[str, Compiled], variables: Value) -> None:
        self._programs = programs
        self._bound = Bound(variables)
        self._known: dict[str, Outcome] = {}

    def __getitem__(self, role: str) -> Outcome:
        """What the expression of a role gives; raises `KeyError` where there is none."""
        if role not in self._known:
            self._known[role] = self._programs[role].evaluate(self._bound).boolean()
        return self._known[role]

    def __contains__(self, role: object) -> bool:
        """Whether there is such an expression: known without evaluating it."""
        return role in self._programs

    def __iter__(self) -> Iterator[str]:
        """The roles, in the order in which they are tried."""
        return iter(self._programs)

    def __len__(self) -> int:
        """How many expressions there are."""
        return len(self._programs)


def _behind(variables: Value) -> bool:
    """Whether the object's own controller says that it has not seen the newest generation."""
    observed, wanted = (
        get(variables, path)
        for path in (("status", "observedGeneration"), ("metadata", "generation"))
    )
    return type(observed) is int and type(wanted) is int and observed != wanted


def subject(
    texts: Mapping[str, Value],
    programs: Mapping[str, Compiled],
    group_kind: GroupKind,
    schema: CrdSchema | None = None,
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
    return Subject(chosen, group_kind, ("dep",) if "dep" in known else (), schema)


def _nodes(programs: Mapping[str, Compiled]) -> int:
    return sum(1 for each in programs.values() if each.tree for _ in walk(each.tree))


def _sound(program: Compiled) -> bool:
    known = program.dialect.variables
    return bool(
        program.tree
        and program.analysed
        and not program.refusals
        and not program.unknown_calls()
        and all(name in known or name not in _ELSEWHERE for name, _ in program.variables())
    )
