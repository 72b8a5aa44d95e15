"""Gardener: health of one object, conditions of an extension, conditions of a Shoot."""

from __future__ import annotations

from celvet.lint.controllers.gardener.extension_evaluators import GROUPS, evaluators
from celvet.lint.controllers.gardener.health import check

__all__ = ["GROUPS", "check", "evaluators"]
