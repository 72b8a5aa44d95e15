"""The judges of what one template stamps: by its health rule, or by default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from celvet.lint.controllers.cartographer.health import by_rule, default_health
from celvet.lint.controllers.cartographer.rule import HealthRule
from celvet.lint.controllers.judge import Program, Situation, WithoutCel
from celvet.lint.controllers.unstructured import kind_of
from celvet.lint.controllers.verdict import Cause, Verdict
from celvet.lint.model import GroupKind, Path, Value


@dataclass(frozen=True, slots=True)
class RuleJudge(WithoutCel):
    """Judges what a template stamps by its health rule: the condition `Healthy`.

    `error` says why a rule does not decode; `rule` is then empty.
    """

    path: Path
    rule: HealthRule
    error: str
    group_kind: GroupKind | None
    programs: Sequence[Program]

    title: str = "health rule"

    @property
    def statuses(self) -> Sequence[str]:
        """Without False where nothing can say so."""
        rule = self.rule
        failing = rule.single or (rule.multi and rule.multi.unhealthy)
        return ("True", "False", "Unknown") if failing and not rule.always else ("True", "Unknown")

    def applies(self, obj: Value) -> bool:
        """Whether the template stamps such an object, where its text tells."""
        return self.group_kind in (None, kind_of(obj))

    def judge(self, situation: Situation) -> Verdict:
        """What the rule makes of the first object that the template stamps."""
        if self.error:
            return Verdict(status="Unknown", reason="Unknown", error=self.error)
        verdict = by_rule(self.rule, situation.covered(self.applies)[0])
        if verdict.cause is None:
            return verdict
        return replace(verdict, cause=Cause((*self.path, *verdict.cause.path)))


@dataclass(frozen=True, slots=True)
class DefaultJudge(WithoutCel):
    """Judges what a template without a health rule stamps."""

    declaration: Value
    group_kind: GroupKind | None
    programs: Sequence[Program]

    path: Path = ()
    title: str = "default health"
    statuses: Sequence[str] = ("True", "Unknown")

    def applies(self, obj: Value) -> bool:
        """Whether the template stamps such an object, where its text tells."""
        return self.group_kind in (None, kind_of(obj))

    def judge(self, situation: Situation) -> Verdict:
        """Whether the outputs can be read off the first object that the template stamps."""
        return default_health(self.declaration, situation.covered(self.applies)[0])
