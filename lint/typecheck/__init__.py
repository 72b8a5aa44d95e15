"""Checks the fields and types that an expression reads against the schema of the object.

Types start at the variables, whose schema a CRD gives, and flow through selections, indexes,
macros, branches and optional values. An unknown type agrees with everything: a mismatch is reported
only if the schema contradicts the expression in every served version.
"""

from __future__ import annotations

from celvet.lint.typecheck.expression import in_expression
from celvet.lint.typecheck.mismatch import TypeMismatch
from celvet.lint.typecheck.path import in_path

__all__ = ["TypeMismatch", "in_expression", "in_path"]
