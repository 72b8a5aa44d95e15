"""The conditions and values of Open Cluster Management's work agent (00f84c32b, after v1.3.0)."""

from __future__ import annotations

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.ocm.conditions import ConditionRule
from celvet.lint.verdicts.evaluator import Evaluator

GROUPS = frozenset({"work.open-cluster-management.io", "addon.open-cluster-management.io"})
"""The API groups of the declarations."""

__all__ = ["GROUPS", "evaluators"]


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each rule that sets a condition."""
    return tuple(
        ConditionRule(check, check.dialect, checked.value)
        for check in checked.doing("condition-rule")
        if check.dialect
    )
