"""Cartographer: whether a health rule is valid, and the health of stamped objects."""

from __future__ import annotations

from celvet.lint.controllers.cartographer.health import health, owner_health
from celvet.lint.controllers.cartographer.rule import validate
from celvet.lint.controllers.cartographer.template_evaluators import GROUPS, evaluators

__all__ = ["GROUPS", "evaluators", "health", "owner_health", "validate"]
