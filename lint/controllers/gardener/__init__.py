"""Gardener: health of one object, conditions of an extension, conditions of a Shoot."""

from __future__ import annotations

from celvet.lint.controllers.gardener.aggregation import aggregate, documented_success
from celvet.lint.controllers.gardener.checks import CheckResult, check_named
from celvet.lint.controllers.gardener.extension import examine, with_conditions
from celvet.lint.controllers.gardener.extension_evaluators import GROUPS, evaluators
from celvet.lint.controllers.gardener.health import check
from celvet.lint.controllers.gardener.shoot import condition_types, counted_conditions

__all__ = [
    "GROUPS",
    "CheckResult",
    "aggregate",
    "check",
    "check_named",
    "condition_types",
    "counted_conditions",
    "documented_success",
    "evaluators",
    "examine",
    "with_conditions",
]
