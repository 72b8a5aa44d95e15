"""The status that Flux waits for: that of kstatus, except that a Job must have ended.

Mirrors `statusreaders/job.go` of `fluxcd/pkg/runtime` (v0.110), by which a suspended Job is
current, a running one is in progress, and generations do not matter.
"""

from __future__ import annotations

from datetime import datetime

from celvet.lint.controllers.kstatus.builtin import job_end, job_progress
from celvet.lint.controllers.kstatus.compute import compute
from celvet.lint.controllers.kstatus.result import current_verdict, progress_verdict
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import group_kind_of
from celvet.lint.verdicts.unstructured import FieldTypeError, field, integer_or, text_or
from celvet.lint.verdicts.verdict import Verdict

_JOB = GroupKind("batch", "Job")


def read(obj: Value, now: datetime | None = None) -> Verdict:
    """The verdict of Flux's rule on a Job, and of `compute` on any other object."""
    return _job(obj) if group_kind_of(obj) == _JOB else compute(obj, now)


def _job(obj: Value) -> Verdict:
    if _suspended(obj):
        return current_verdict("Job is suspended")
    try:
        return job_end(obj) or _going(obj)
    except FieldTypeError as error:
        return Verdict(status="Unknown", error=str(error))


def _going(obj: Value) -> Verdict:
    if text_or("", obj, "status", "startTime"):
        return progress_verdict("JobInProgress", job_progress(obj))
    parallelism = integer_or(1, obj, "spec", "parallelism")
    return progress_verdict("JobNotStarted", f"Job not started. active: 0/{parallelism}")


def _suspended(obj: Value) -> bool:
    try:
        return field(obj, "spec", "suspend") is True
    except FieldTypeError:
        return False
