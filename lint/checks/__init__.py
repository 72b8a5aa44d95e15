"""The one model of a check, found from the catalogue.

    checked = check_object(found, kind, catalog)
    for check in checked.checks:
        check.programs        # role -> compiled expression
        check.objects         # the kind of the objects under check

Rules, prediction, `eval`, `test`, `explain`, the language server and the
webhook use a `CheckedObject`. `celvet.lint.controllers` turns a check into
verdicts.
"""

from __future__ import annotations

from celvet.lint.checks.advice import sentence
from celvet.lint.checks.build import check_found, check_object, check_value
from celvet.lint.checks.check import AnyExpression, CelExpression, Check, Expression, PathExpression
from celvet.lint.checks.checked_object import CheckedObject, Place
from celvet.lint.checks.fold import Outcomes, fold_roles, join_outcomes
from celvet.lint.checks.typed import TypedCopies, shown_duration
from celvet.lint.checks.waiting import Waiting

__all__ = [
    "AnyExpression",
    "CelExpression",
    "Check",
    "CheckedObject",
    "Expression",
    "Outcomes",
    "PathExpression",
    "Place",
    "TypedCopies",
    "Waiting",
    "check_found",
    "check_object",
    "check_value",
    "fold_roles",
    "join_outcomes",
    "sentence",
    "shown_duration",
]
