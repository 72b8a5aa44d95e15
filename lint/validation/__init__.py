"""Validates objects against schemas, and finds their expressions, checks and violations.

`keywords` has what the schemas can say, `validate` what the results mean for an object.
"""

from __future__ import annotations

from celvet.lint.validation.result import Mark, Site, UnknownField, Validation, Violation
from celvet.lint.validation.validate import misplaced_texts, validate

__all__ = ["Mark", "Site", "UnknownField", "Validation", "Violation", "misplaced_texts", "validate"]
