"""The readiness checks of Crossplane's function-patch-and-transform (55116ae, after v0.10.0).

A Composition without functions has the same checks; Crossplane's own copy of the code was not read.
"""

from __future__ import annotations

from celvet.lint.controllers.crossplane.check_evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators"]
