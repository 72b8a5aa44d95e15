"""kstatus by itself, and Flux and Timoni, which wait by it but for a Job, which must have ended.

Timoni has the reader of Jobs of `fluxcd/pkg/runtime` (v0.111): `internal/runtime/job_wait.go` and
`resources.go` of `stefanprodan/timoni` (v0.33.0).
"""

from __future__ import annotations

from datetime import datetime

from celvet.lint.controllers import kstatus
from celvet.lint.model import Value
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.waiters.waiter import Effect, Waiter, WaiterJudgement

_EFFECTS: dict[str, Effect] = {"Current": "ready", "Failed": "fails"}


def judge(obj: Value, now: datetime) -> WaiterJudgement:
    """The status that kstatus computes; an object that it cannot read is waited for."""
    return _judgement(kstatus.compute(obj, now))


def _judge_with_jobs(obj: Value, now: datetime) -> WaiterJudgement:
    """The status that Flux waits for where no expression is about the object."""
    return _judgement(kstatus.read(obj, now))


def _judgement(verdict: Verdict) -> WaiterJudgement:
    return WaiterJudgement(
        status=verdict.status,
        effect=_EFFECTS.get(verdict.status, "waits"),
        message=verdict.message,
        error=verdict.error,
    )


FLUX = Waiter(name="flux", mirrors="kustomize-controller v1.10.1", judge=_judge_with_jobs)
KSTATUS = Waiter(name="kstatus", mirrors="fluxcd/cli-utils v1.2.3", judge=judge)
TIMONI = Waiter(name="timoni", mirrors="Timoni v0.33.0", judge=_judge_with_jobs)
