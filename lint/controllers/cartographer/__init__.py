"""Cartographer: is a health rule valid, and how healthy is what a template stamped."""

from __future__ import annotations

from celvet.lint.controllers.cartographer.evaluators import GROUPS, evaluators
from celvet.lint.controllers.cartographer.health import default_health, health, owner_health
from celvet.lint.controllers.cartographer.rule import validate

__all__ = ["GROUPS", "default_health", "evaluators", "health", "owner_health", "validate"]
