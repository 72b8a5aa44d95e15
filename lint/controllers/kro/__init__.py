"""The graph of a kro ResourceGraphDefinition (0302e659, after v0.9.3), typed by its resources."""

from __future__ import annotations

from celvet.lint.controllers.kro.node_evaluators import GROUPS, evaluators, objections

__all__ = ["GROUPS", "evaluators", "objections"]
