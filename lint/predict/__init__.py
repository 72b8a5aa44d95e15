"""Foretells what the expressions of an entry will do, with no fixture written.

    found = subject(texts, programs, group_kind)
    table(found).rows        # every stock state, every outcome, the verdict
    diagnose(found)          # what will mislead, each with the state that proves it

Stock states are objects as they are at some moment of their lives, made from
what the expressions read: deterministic and bounded in number. Nothing here
claims that something never happens unless the search for it was complete.
"""

from __future__ import annotations

from celvet.lint.predict.entries import diagnoses, remedy_for, rule_diagnoses, subjects
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import Diagnosis, Remedy, Rewrite
from celvet.lint.predict.faults.redaction import kept_shut
from celvet.lint.predict.health_rule import RuleDiagnosis
from celvet.lint.predict.states.state import State
from celvet.lint.predict.states.workloads import status_fields
from celvet.lint.predict.subject import Subject, subject
from celvet.lint.predict.truth_table import Row, Table, table

__all__ = [
    "Diagnosis",
    "Remedy",
    "Rewrite",
    "Row",
    "RuleDiagnosis",
    "State",
    "Subject",
    "Table",
    "diagnose",
    "diagnoses",
    "kept_shut",
    "remedy_for",
    "rule_diagnoses",
    "status_fields",
    "subject",
    "subjects",
    "table",
]
