"""Readiness in Crossplane: function-patch-and-transform and function-auto-ready.

A Composition without functions has the same checks as function-patch-and-transform (55116ae, after
v0.10.0); Crossplane's own copy of the code was not read.
"""

from __future__ import annotations

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.crossplane.check_evaluators import (
    auto_ready_evaluators,
    readiness_evaluators,
)
from celvet.lint.verdicts.evaluator import Evaluator

__all__ = ["GROUPS", "evaluators"]

GROUPS = frozenset({"apiextensions.crossplane.io"})
"""The API groups of the declarations."""


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """An evaluator for each resource with checks, and one for each expression."""
    return (*readiness_evaluators(checked), *auto_ready_evaluators(checked))
