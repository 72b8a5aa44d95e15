"""States of kinds that the catalogue does not know."""

from __future__ import annotations

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.model import Severity
from celvet.lint.predict.truth_table import Row


def severity_in(row: Row, checked: CheckedObject, entry: Check) -> Severity | None:
    """Info for a state of an unknown kind, which may never occur; None, the rule's own, otherwise.

    Such a state is derived from the expressions. Only an object without a status is certain: the
    API server creates it.
    """
    is_guess = checked.facts_of(entry) is None and row.state.name != "fresh"
    return Severity.INFO if is_guess else None
