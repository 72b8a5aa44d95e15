"""Predicts what the expressions of a check will do, without fixtures.

    model = check_model(check, schema)
    table(model).rows        # every stock state, every outcome, the verdict
    diagnose(model)          # the faults, each with the state that proves it

Stock states are objects at moments of their lives, made from what the expressions read:
deterministic and bounded in number. A claim that something never happens needs a complete search
for it.

From low to high: `reads`, `states`, `search`, `truth_table`, `faults`, `fixes`,
`checks`.
"""

from __future__ import annotations

from celvet.lint.predict.check_model import CheckModel, check_model
from celvet.lint.predict.checks import (
    advice,
    blocked_by_redaction,
    companions,
    diagnoses,
    fix,
    models,
    rule_diagnoses,
)
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.life_rows import life_rows
from celvet.lint.predict.states.state import State
from celvet.lint.predict.states.workloads import status_fields
from celvet.lint.predict.truth_table import Row, Table, table

__all__ = [
    "CheckModel",
    "Diagnosis",
    "Row",
    "State",
    "Table",
    "advice",
    "blocked_by_redaction",
    "check_model",
    "companions",
    "diagnose",
    "diagnoses",
    "fix",
    "life_rows",
    "models",
    "rule_diagnoses",
    "status_fields",
    "table",
]
