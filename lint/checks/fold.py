"""Folds the outcomes of a check's expressions into a verdict, as its dialect describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from celvet.lint.cel import Activation, Compiled, Outcome
from celvet.lint.model import Value
from celvet.lint.values import get, kubernetes_number
from celvet.schemas import Dialect

NO_PARTS: Mapping[str, Sequence[Compiled]] = MappingProxyType({})


class RoleVerdict(NamedTuple):
    """A verdict, and the role of the expression that gave it; empty if none did."""

    status: str
    role: str


class Outcomes(Mapping[str, Outcome]):
    """The outcomes of a check's expressions on some variables, by role.

    Each expression is evaluated on first use: the first that is true or fails settles the verdict,
    so later ones are often not needed. `parts` are the expressions of a role that has several;
    without them, its program is their conjunction or disjunction.
    """

    __slots__ = ("_bound", "_outcomes", "_parts", "_programs")

    def __init__(
        self,
        programs: Mapping[str, Compiled],
        variables: Value,
        parts: Mapping[str, Sequence[Compiled]] = NO_PARTS,
    ) -> None:
        self._programs = programs
        self._parts = parts
        self._bound = Activation(variables)
        self._outcomes: dict[str, Outcome] = {}

    def __getitem__(self, role: str) -> Outcome:
        """The outcome of a role's expression; raises `KeyError` if there is none."""
        if role not in self._outcomes:
            self._outcomes[role] = self._evaluate(role)
        outcome = self._outcomes[role]
        return outcome if self._programs[role].dialect.purpose == "text" else outcome.boolean()

    def _evaluate(self, role: str) -> Outcome:
        """The outcome of a role's program, or of its parts one after the other.

        The first that is true or false enough to settle the answer ends the row, as does an error:
        no later one is even compiled. So do all controllers with several expressions.
        """
        program = self._programs[role]
        use = program.dialect.role(role)
        outcome = Outcome(use.join == "all")
        for part in self._parts.get(role, ()):
            outcome = part.evaluate(self._bound).boolean()
            is_settled = outcome.value is (use.join == "any") or not outcome.analysed
            if is_settled or (outcome.error and not use.skips):
                return outcome
        return outcome if role in self._parts else program.evaluate(self._bound)

    def plain(self, role: str) -> Outcome:
        """The raw outcome, which may not be a bool; raises `KeyError` if there is none."""
        return self[role] and self._outcomes[role]

    def __contains__(self, role: object) -> bool:
        """Whether the role has an expression; evaluates nothing."""
        return role in self._programs

    def __iter__(self) -> Iterator[str]:
        """The roles, in the order in which they are tried."""
        return iter(self._programs)

    def __len__(self) -> int:
        """The number of roles."""
        return len(self._programs)


def fold_roles(dialect: Dialect, outcomes: Mapping[str, Outcome], obj: Value) -> RoleVerdict:
    """The verdict on an object: that of the first role whose outcome is true or an error.

    `outcomes` are in the order of the roles. Mirrors `status_evaluator.go` of
    `fluxcd/pkg/runtime/cel` (v0.110), which the other dialects with an order of roles share. A role
    without an answer decides nothing if another role has one.
    """
    if dialect.observes and is_outdated(obj):
        return RoleVerdict(dialect.otherwise, "")
    deciding = [role for role in outcomes if dialect.role(role).answer or not dialect.roles]
    for role in deciding:
        outcome = outcomes[role]
        if outcome.error and not (dialect.role(role).skips and outcome.analysed):
            return RoleVerdict(dialect.fails, role)
        if outcome.value is True:
            return RoleVerdict(dialect.role(role).answer, role)
    return RoleVerdict(dialect.otherwise, "")


def join_outcomes(outcomes: Sequence[Outcome], join: Literal["all", "any"]) -> Outcome:
    """The outcome of several expressions of a role, as `&&` or `||` of CEL join them."""
    booleans = [outcome.boolean() for outcome in outcomes]
    settling = next((outcome for outcome in booleans if outcome.value is (join == "any")), None)
    failed = next((outcome for outcome in booleans if outcome.error), None)
    return settling or failed or booleans[0]


def is_outdated(obj: Value) -> bool:
    """Whether the object's controller has not seen its newest generation yet.

    Only if both generations are whole numbers, as `NestedInt64` of apimachinery reads them.
    """
    observed_generation = _generation(obj, "status", "observedGeneration")
    newest_generation = _generation(obj, "metadata", "generation")
    return (
        None not in (observed_generation, newest_generation)
        and observed_generation != newest_generation
    )


def _generation(obj: Value, part: str, field: str) -> int | None:
    value = kubernetes_number(get(obj, (part, field)))
    return value if type(value) is int else None
