"""The status of an object by health check expressions, as all of Flux's family reads it.

Mirrors `status_evaluator.go` of `fluxcd/pkg/runtime/cel` (v0.110).
"""

from __future__ import annotations

from collections.abc import Sequence

from celvet.lint.controllers.expression import truth
from celvet.lint.controllers.judge import Program
from celvet.lint.controllers.unstructured import FieldTypeError, integer_field
from celvet.lint.controllers.verdict import Cause, Verdict
from celvet.lint.model import Value

ANSWERS = {"inProgress": "InProgress", "failed": "Failed", "current": "Current"}
"""Role of an expression -> the status that it gives where it is true; in order of evaluation."""


def evaluate(programs: Sequence[Program], obj: Value) -> Verdict:
    """The verdict on an object: that of the first expression that is true, or fails.

    `programs` have the roles of `ANSWERS` and its order. Where the controller
    has not seen the object as it is, none is evaluated.
    """
    if _outdated(obj):
        return Verdict(status="InProgress")
    for program in programs:
        true, error = truth(program, obj)
        if error:
            return Verdict(status="Unknown", error=error, cause=Cause(program.path))
        if true:
            return Verdict(status=ANSWERS[program.role], cause=Cause(program.path))
    return Verdict(status="InProgress")


def _outdated(obj: Value) -> bool:
    """Whether both generations are whole numbers and differ."""
    try:
        observed = integer_field(obj, "status", "observedGeneration")
        generation = integer_field(obj, "metadata", "generation")
    except FieldTypeError:
        return False
    return None not in (observed, generation) and observed != generation
