"""Foretells what the expressions of an entry will do, with no fixture written.

    found = subject(texts, programs, group_kind)
    table(found).rows        # every stock state, every outcome, the verdict
    diagnose(found)          # what will mislead, each with the state that proves it

Stock states are objects as they are at some moment of their lives, made from
what the expressions read: deterministic and bounded in number. Nothing here
claims that something never happens unless the search for it was complete.
"""

from __future__ import annotations

from lint.lifecycle.checkup import diagnose
from lint.lifecycle.diagnosis import Diagnosis, Remedy, Rewrite
from lint.lifecycle.entries import diagnoses, remedy_for, rule_diagnoses, subjects
from lint.lifecycle.health_rule import RuleDiagnosis
from lint.lifecycle.hiding import kept_shut
from lint.lifecycle.state import State
from lint.lifecycle.subject import Subject, subject
from lint.lifecycle.table import Row, Table, table
from lint.lifecycle.workloads import status_fields

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
