"""The probes of boxcutter (v0.14.0, `probing/`), as OLM v1 and Package Operator declare them."""

from __future__ import annotations

from celvet.lint.controllers.boxcutter.probe_evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators"]
