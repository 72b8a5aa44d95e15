"""Holds schemas against objects: finds their expressions, checks and violations.

`keywords` has what the schemas can say, `validate` what the results mean for an object.
"""

from __future__ import annotations

from celvet.lint.validation.inspection import Inspection, Mark, Site, UnknownField, Violation
from celvet.lint.validation.validate import inspect

__all__ = ["Inspection", "Mark", "Site", "UnknownField", "Violation", "inspect"]
