"""The model of a check whose behaviour is predicted: its programs and their objects."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.cel import Compiled, Outcome
from celvet.lint.cel.syntax.misread_names import has_misread_name
from celvet.lint.cel.syntax.tree import Node, walk
from celvet.lint.checks import Check, Outcomes, TypedCopies, fold_roles
from celvet.lint.crds.schema import CrdSchema
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import get, mapping_at
from celvet.record import field, record
from celvet.schemas import Dialect, KindFacts

NOT_ANALYSED = "not analysed"
MOST_NODES = 400
"""Nodes of all trees together; the largest real expression known has 38."""


@record
class CheckModel:
    """One health check, one gate of a dependency, or one filter.

    `programs` are by role, in the order in which they are tried, `dialect` folds their answers
    into a verdict. `version` is the `apiVersion` of the objects under check, empty if unknown.
    `schema` comes from the CRD of the objects, `facts` from the catalogue; both are None if
    unknown. `copies` turns variables into the copies that expressions see.
    """

    programs: Mapping[str, Compiled]
    dialect: Dialect
    group_kind: GroupKind
    schema: CrdSchema | None = None
    facts: KindFacts | None = None
    copies: TypedCopies = field(default_factory=TypedCopies)
    version: str = ""

    @property
    def root(self) -> tuple[str, ...]:
        """The path to the object under check among the variables."""
        return (self.dialect.object,) if self.dialect.object else ()

    @property
    def gate(self) -> bool:
        """Whether one expression opens the gate, rather than several giving verdicts."""
        return self.dialect.purpose == "readiness"

    def role(self, answer: str) -> str:
        """The role whose expression gives a verdict; empty if the check has none."""
        roles = (role.name for role in self.dialect.roles if role.answer == answer)
        return next((role for role in roles if role in self.programs), "")

    def trees(self) -> list[Node]:
        """The syntax trees, in the order of the roles."""
        return [program.tree for program in self.programs.values() if program.tree]

    def outcomes(self, variables: Value) -> Outcomes:
        """The result of each expression, by role."""
        return Outcomes(self.programs, self.copies.of(variables))

    def verdict(self, variables: Value, outcomes: Mapping[str, Outcome]) -> str:
        """The controller's verdict for the results of its expressions; an error is `Unknown`."""
        status, role = fold_roles(self.dialect, outcomes, get(variables, self.root))
        return NOT_ANALYSED if role and not outcomes[role].analysed else status


def check_model(
    check: Check, schema: CrdSchema | None = None, facts: KindFacts | None = None
) -> CheckModel | None:
    """The model of a check, None if its behaviour cannot be predicted.

    It cannot if the required role is missing, if a text has an unresolved variable, or if an
    expression is refused, exceeds a limit, or uses an unknown function or variable; other rules
    report these.
    """
    dialect, programs = check.dialect, check.programs
    if dialect is None or not programs or (dialect.needs and dialect.needs not in programs):
        return None
    mapping = mapping_at(check.value)
    if any(mapping.get(role.name) and role.name not in programs for role in dialect.roles):
        return None
    if not all(map(_is_predictable, programs.values())) or is_too_large(check):
        return None
    kind = check.group_kind if check.group_kind.kind else check.named
    version = check.objects[0] if GroupKind.of(*check.objects) == kind else ""
    return CheckModel(programs, dialect, kind, schema, facts, check.copies, version)


def is_too_large(check: Check) -> bool:
    """Whether the expressions of a check have too many parts for a prediction."""
    # A node has at least one letter, or joins two expressions, so few checks are worth a walk.
    if sum([len(expression.program.text) + 1 for expression in check.cel]) <= MOST_NODES:
        return False
    trees = [program.tree for program in check.programs.values() if program.tree]
    return sum(1 for tree in trees for _ in walk(tree)) > MOST_NODES


def _is_predictable(program: Compiled) -> bool:
    free = set(program.names).difference(program.dialect.variables)
    return bool(
        program.tree
        and program.analysed
        and not program.refusals
        and not program.unknown_calls
        and not has_misread_name(program.tree, free)
    )
