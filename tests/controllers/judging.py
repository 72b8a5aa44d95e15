"""Judges the situations that tables of cases describe."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from celvet.lint.controllers import judges
from celvet.lint.controllers.judge import Judge, Situation
from tests.controllers.table import shown

NOW = datetime(2026, 1, 2, 3, 10, tzinfo=UTC)


def judge_at(declaration: Any, path: list[str | int]) -> Judge:
    """The judge of the part at a path."""
    return next(judge for judge in judges(declaration) if list(judge.path) == path)


def situation(case: dict[str, Any]) -> Situation:
    """What a case has before the controller; `waited` in seconds."""
    return Situation(
        objects=case.get("objects", []),
        now=NOW,
        owner=case.get("owner"),
        settings=case.get("settings", {}),
        waited=timedelta(seconds=case.get("waited", 0)),
    )


def judged(case: dict[str, Any], declaration: Any) -> dict[str, Any]:
    """What the judge at the `path` of a case says, in what `expect` of a table holds."""
    judge = judge_at(declaration, case.get("path", []))
    verdict = judge.judge(situation(case))
    assert verdict.status in judge.statuses
    return shown(verdict)
