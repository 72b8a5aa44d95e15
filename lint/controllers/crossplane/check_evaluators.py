"""The evaluators of readiness checks: one for each resource of a Composition, or for a kind.

The expressions for a kind are those of function-auto-ready (81ba55a, after v0.7.0), which has them
only with its feature gate `CELHealthcheckCustomizations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from celvet.lint.checks import AnyExpression, CheckedObject
from celvet.lint.controllers.crossplane import readiness
from celvet.lint.controllers.crossplane.builtin import is_ready
from celvet.lint.jsonpath import CompiledPath
from celvet.lint.model import Path, Value
from celvet.lint.values import list_at, mapping_at, text_at
from celvet.lint.verdicts.check_evaluator import CheckEvaluator, OneCheckEvaluator
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.examples import FRESH, Example, example, with_conditions, with_value
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record, replace

_CHECKS = "readinessChecks"


@record
class Readiness(OneCheckEvaluator):
    """Evaluates the readiness checks of one resource, in order, up to the first that fails."""

    statuses: Sequence[str] = ("True", "False")

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The paths of the checks."""
        return self.check.paths

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Whether the resource is ready; an error is a warning, and it is not ready."""
        obj = cluster.covered(self.applies)[0]
        checks = list_at(self.check.value, (_CHECKS,))
        for index, check in enumerate(map(mapping_at, checks)):
            path: Path = (*self.check.path, _CHECKS, index)
            if field := readiness.undecodable(check):
                words = f"cannot decode `{field}`: its type is wrong"
                return Verdict(status="False", error=words, cause=CauseText((*path, field)))
            answer = readiness.run(check, self._compiled(path), obj)
            if not answer.ready:
                words = (
                    answer.error and f"cannot run readiness check at index {index}: {answer.error}"
                )
                return Verdict(status="False", error=words, message=words, cause=CauseText(path))
        if obj is None or not (checks or readiness.by_condition(obj).ready):
            return Verdict(status="False")
        return Verdict(status="True")

    def examples(self, _: Value) -> Iterator[Example]:
        """The resource, just created and as the checks want it."""
        api_version, kind = self.check.objects
        fresh: Value = example(api_version or "example.com/v1", kind or "Example")
        yield Example(f"an object {FRESH}", (fresh,))
        checks = list_at(self.check.value, (_CHECKS,))
        obj: Value | None = fresh if checks else with_conditions(fresh, {"Ready": "True"})
        for index, check in enumerate(map(mapping_at, checks)):
            path = self._compiled((*self.check.path, _CHECKS, index))
            if condition := mapping_at(check, ("matchCondition",)):
                name, status = (text_at(condition, (key,)) for key in ("type", "status"))
                obj = obj and with_conditions(obj, {name: status})
            elif path:
                obj = obj and with_value(obj, path, _wanted(check))
        if obj:
            yield Example("an object as the checks want it", (obj,))

    def _compiled(self, path: Path) -> CompiledPath | None:
        return next(
            (item.program for item in self.check.paths if item.path == (*path, "fieldPath")), None
        )


def _wanted(check: Mapping[str, Value]) -> Value:
    """The value that makes a check true."""
    values = {"MatchTrue": True, "MatchFalse": False, "MatchInteger": check.get("matchInteger")}
    return values.get(text_at(check, ("type",)), check.get("matchString", "x"))


def readiness_evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each resource with a template or checks."""
    return tuple(Readiness(check) for check in checked.doing("readiness-checks"))


@record
class AutoReady(CheckEvaluator):
    """Evaluates the expression for one kind of composed resources.

    An expression decides, unless it is refused or fails: then the built-in check of the kind
    decides, and after that the condition `Ready` (fn.go).
    """

    def _verdict(self, obj: Value, cluster: ClusterState) -> Verdict:
        # The super of a record made anew has no cell.
        verdict = CheckEvaluator._verdict(self, obj, cluster)
        if verdict.status == self.dialect.fails and is_ready(obj):
            return replace(verdict, status=self.dialect.roles[0].answer)
        return verdict


def auto_ready_evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each expression about a kind."""
    return tuple(
        AutoReady(check, check.dialect, checked.value)
        for check in checked.doing("auto-ready")
        if check.dialect
    )
