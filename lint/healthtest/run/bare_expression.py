"""One expression without an object around it, evaluated like one in an object."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.checks import AnyExpression, Expression
from celvet.lint.controllers.evaluator import BaseEvaluator, ClusterState
from celvet.lint.controllers.generic import variables_of
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.jsonpath import compile_path
from celvet.lint.model import GroupKind, Path, Value
from celvet.record import record
from celvet.schemas import Dialect


@record
class BareExpression(BaseEvaluator):
    """One text of a dialect; it has no verdict, only the value of the text."""

    text: str
    dialect: Dialect
    path: Path = ()
    group_kind: GroupKind | None = None
    statuses: tuple[str, ...] = ("",)

    @property
    def title(self) -> str:
        """The dialect, by which the text is read."""
        return self.dialect.name

    @property
    def expressions(self) -> tuple[AnyExpression]:
        """The text, compiled."""
        if self.dialect.language == "jsonpath":
            return (Expression((), "expression", compile_path(self.text, self.dialect)),)
        return (Expression((), "expression", compile_expression(self.text, self.dialect)),)

    def applies(self, _: Value) -> bool:
        """To any object."""
        return True

    def variables(self, cluster: ClusterState) -> Mapping[str, Value]:
        """What the dialect shows of the object, and of the owner."""
        return variables_of(self.dialect, cluster, {}, cluster.object)

    def evaluate(self, _: ClusterState) -> Verdict:
        """Nothing: what the value is good for, only an object around it tells."""
        return Verdict(status="")
