"""Checks that only their dialect describes: kinds of a user's own directory.

Roles are tried in their order, as Flux tries them; a dialect without verdicts
gives the value of its expression alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celvet.lint.checks import AnyExpression, Check, CheckedObject
from celvet.lint.model import GroupKind, Path, Value, field_path
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState, Evaluator
from celvet.lint.verdicts.flux_cel import evaluate, top_level
from celvet.lint.verdicts.unstructured import kind_of
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.verdicts.wait_result import MISSING
from celvet.record import record
from celvet.schemas import Dialect


@record
class CheckEvaluator(BaseEvaluator):
    """Evaluates one check on one object."""

    check: Check
    dialect: Dialect
    declaration: Value

    @property
    def path(self) -> Path:
        """Of the check."""
        return self.check.path

    @property
    def title(self) -> str:
        """The kind of the objects, or the field of the check."""
        kind = self.check.group_kind
        return str(kind) if kind.kind else field_path(self.check.path) or "the object"

    @property
    def group_kind(self) -> GroupKind | None:
        """That of the objects under check."""
        return self.check.group_kind if self.check.group_kind.kind else None

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """All of the check."""
        return self.check.cel

    @property
    def statuses(self) -> Sequence[str]:
        """The verdicts of the roles, and those that need no expression."""
        answers = (self.dialect.role(role).answer for role in self.check.programs)
        without = (self.dialect.otherwise, "Unknown", MISSING.status)
        return tuple(dict.fromkeys(word for word in (*answers, *without) if word)) or ("",)

    def applies(self, obj: Value) -> bool:
        """Whether the object is of the kind that the check names; to any if it names none."""
        return obj is None or self.group_kind in (None, kind_of(obj))

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """The object as its variable, beside the owner, or its top-level fields."""
        return variables_of(self.dialect, cluster, self.declaration, self._found(cluster))

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """The verdict as the dialect folds it; an empty status if it gives none."""
        if not self.dialect.roles:
            return Verdict(status="")
        found = self._found(cluster)
        if found is None:
            return MISSING
        return evaluate(self.check, found, self.variables(cluster))

    def _found(self, cluster: ClusterState) -> Value:
        return cluster.covered(self.applies)[0]


def variables_of(
    dialect: Dialect, cluster: ClusterState, declaration: Value, obj: Value
) -> Mapping[str, Value]:
    """The variables of a dialect: the object, and the one that declares the expressions."""
    if not dialect.variables:
        return top_level(obj)
    owner = declaration if cluster.owner is None else cluster.owner
    given = {dialect.object: obj, dialect.owner: owner, **cluster.settings}
    return {name: given[name] for name in dialect.variables if given.get(name) is not None}


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """One for each check that has CEL expressions."""
    return tuple(
        CheckEvaluator(check, check.dialect, checked.value)
        for check in checked.checks
        if check.dialect and check.cel
    )
