"""Which expression is reported for trusting conditions of an older generation."""

from __future__ import annotations

from celvet.lint.predict import diagnose
from celvet.lint.predict.faults.diagnosis import Stale
from tests.predict.models import made

_FAILED = "status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')"


def _stale(**texts: str) -> list[str]:
    return [each.role for each in diagnose(made(texts)) if isinstance(each, Stale)]


def test_an_expression_that_reads_no_conditions_trusts_none() -> None:
    """Its verdict comes first among the states with outdated conditions."""
    assert _stale(failed=_FAILED, current="status.phase != 'Bad'") == ["failed"]
    assert _stale(failed="status.phase == 'Bad'", current=_FAILED) == ["current"]
    assert not _stale(failed="status.phase == 'Bad'", current="status.phase == 'Good'")
