"""Flux Operator: the dependencies of a ResourceSet, and what it waits for.

Builds on `celvet.lint.controllers.kstatus`.
"""

from __future__ import annotations

from celvet.lint.controllers.flux_operator.resourceset_evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators"]
