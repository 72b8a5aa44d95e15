"""The verdicts of Crossplane's function-auto-ready (81ba55a, after v0.7.0) on composed resources.

An expression decides, unless it is refused or fails: then the built-in check of the kind decides,
and after that the condition `Ready` (fn.go). The function has these expressions only with its
feature gate `CELHealthcheckCustomizations`.
"""

from __future__ import annotations

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.crossplane.builtin import is_ready
from celvet.lint.model import Value
from celvet.lint.verdicts.check_evaluator import CheckEvaluator
from celvet.lint.verdicts.evaluator import ClusterState, Evaluator
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import record, replace

STRATEGY = "auto-ready"


@record
class AutoReady(CheckEvaluator):
    """Evaluates the expression for one kind of composed resources."""

    def _verdict(self, obj: Value, cluster: ClusterState) -> Verdict:
        # The super of a record made anew has no cell.
        verdict = CheckEvaluator._verdict(self, obj, cluster)
        if verdict.status == self.dialect.fails and is_ready(obj):
            return replace(verdict, status=self.dialect.roles[0].answer)
        return verdict


def auto_ready_evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each expression."""
    return tuple(
        AutoReady(check, check.dialect, checked.value)
        for check in checked.doing(STRATEGY)
        if check.dialect
    )
