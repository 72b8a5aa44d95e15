"""Checks that only their dialect describes, such as those of a user's own kinds.

Roles are tried in order, like Flux's; a dialect without verdicts only gives the values of its
expressions. A JSONPath is true if the value that it finds is `true`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.cel import Outcome
from celvet.lint.checks import (
    AnyExpression,
    CheckedObject,
    PathExpression,
    fold_roles,
    join_outcomes,
)
from celvet.lint.model import Value
from celvet.lint.verdicts.check_evaluator import CheckEvaluator
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.examples import FRESH, Example, example, with_value
from celvet.lint.verdicts.verdict import CauseText, Verdict
from celvet.record import record


@record
class PathEvaluator(CheckEvaluator):
    """Evaluates the paths of one check on one object."""

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """The check's JSONPath expressions."""
        return self.check.paths

    def examples(self, _: Value) -> Iterator[Example]:
        """An object without what the paths read, and one where all of them find `true`."""
        api_version, kind = self.check.objects
        obj: Value | None = example(api_version or "v1", kind or "Example")
        yield Example(f"an object {FRESH}", (obj,))
        for expression in self.check.paths:
            obj = obj and with_value(obj, expression.program, True)
        if obj:
            yield Example("an object on which all paths find `true`", (obj,))

    def _verdict(self, obj: Value, _: ClusterState) -> Verdict:
        outcomes = {
            role.name: join_outcomes(
                [_holds(expression, obj) for expression in expressions], role.join
            )
            for role in self.dialect.roles
            if (
                expressions := [
                    expression for expression in self.check.paths if expression.role == role.name
                ]
            )
        }
        status, role = fold_roles(self.dialect, outcomes, obj)
        if not role:
            return Verdict(status=status)
        return Verdict(
            status=status, error=outcomes[role].error, cause=CauseText(self.check.of(role)[0].path)
        )


def _holds(expression: PathExpression, obj: Value) -> Outcome:
    result = expression.program.read(obj)
    failed = result.error if result.state == "error" else ""
    return Outcome(error=failed) if failed else Outcome(result.value is True)


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for the CEL expressions of each check, and one for its paths."""
    check_evaluators: list[Evaluator] = []
    for check in checked.checks:
        if check.dialect and check.cel:
            check_evaluators.append(CheckEvaluator(check, check.dialect, checked.value))
        if check.paths:
            check_evaluators.append(PathEvaluator(check, check.paths[0].dialect, checked.value))
    return tuple(check_evaluators)
