"""Flux: the health checks of a Kustomization or HelmRelease, and its dependencies.

Builds on `celvet.lint.controllers.kstatus`, which evaluates what no health check covers.
"""

from __future__ import annotations

from celvet.lint.controllers.flux.applier_evaluators import evaluators
from celvet.lint.controllers.flux.kinds import GROUPS

__all__ = ["GROUPS", "evaluators"]
