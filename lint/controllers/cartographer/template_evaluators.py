"""The evaluators of what one template stamps: by its health rule, or by default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from celvet.lint.checks import AnyExpression, Check
from celvet.lint.controllers.cartographer.examples import of_default, of_rule
from celvet.lint.controllers.cartographer.health import by_rule, default_health
from celvet.lint.controllers.cartographer.rule import HealthRule
from celvet.lint.controllers.evaluator import BaseEvaluator, ClusterState
from celvet.lint.controllers.examples import Example
from celvet.lint.controllers.unstructured import kind_of
from celvet.lint.controllers.verdict import Cause, Verdict
from celvet.lint.model import GroupKind, Path, Value
from celvet.record import record


@record
class RuleEvaluator(BaseEvaluator):
    """Evaluates stamped objects by the health rule of their template: the condition `Healthy`.

    `error` says why a rule does not decode; `rule` is then empty.
    """

    path: Path
    rule: HealthRule
    error: str
    group_kind: GroupKind | None
    expressions: Sequence[AnyExpression]

    title: str = "health rule"

    @property
    def statuses(self) -> Sequence[str]:
        """Without False if no matcher can give it."""
        rule = self.rule
        failing = rule.single or (rule.multi and rule.multi.unhealthy)
        return ("True", "False", "Unknown") if failing and not rule.always else ("True", "Unknown")

    def applies(self, obj: Value) -> bool:
        """Whether the template stamps such an object, if its text says it."""
        return self.group_kind in (None, kind_of(obj))

    def examples(self, declaration: Value) -> Iterator[Example]:
        """Objects without a match, with all healthy matches, and with an unhealthy one."""
        return of_rule(self.rule, declaration)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """What the rule makes of the first object that the template stamps."""
        if self.error:
            return Verdict(status="Unknown", reason="Unknown", error=self.error)
        verdict = by_rule(self.rule, cluster.covered(self.applies)[0])
        if verdict.cause is None:
            return verdict
        return replace(verdict, cause=Cause((*self.path, *verdict.cause.path)))


@record
class DefaultEvaluator(BaseEvaluator):
    """Evaluates the stamped objects of a template without a health rule."""

    template: Check
    group_kind: GroupKind | None

    path: Path = ()
    title: str = "default health"
    statuses: Sequence[str] = ("True", "Unknown")

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The paths of the outputs."""
        return self.template.expressions

    def applies(self, obj: Value) -> bool:
        """Whether the template stamps such an object, if its text says it."""
        return self.group_kind in (None, kind_of(obj))

    def examples(self, declaration: Value) -> Iterator[Example]:
        """An object without outputs, and one with all."""
        return of_default(self.expressions, declaration)

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the outputs can be read off the first object that the template stamps."""
        return default_health(self.template, cluster.covered(self.applies)[0])
