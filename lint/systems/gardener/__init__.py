"""Gardener: health of one object, conditions of an extension, what a Shoot takes up."""

from __future__ import annotations

from lint.systems.gardener.aggregation import documented_success, judge
from lint.systems.gardener.checks import CheckResult, check_named
from lint.systems.gardener.extension import Results, examine, written
from lint.systems.gardener.health import check
from lint.systems.gardener.judges import GROUPS, judges
from lint.systems.gardener.shoot import condition_types, taken_up_by

__all__ = [
    "GROUPS",
    "CheckResult",
    "Results",
    "check",
    "check_named",
    "condition_types",
    "documented_success",
    "examine",
    "judge",
    "judges",
    "taken_up_by",
    "written",
]
