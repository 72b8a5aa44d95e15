"""Programs that wait until objects are ready: what each makes of an object.

`WAITERS` has those without settings. `kubectl_wait.parse` and `argocd.waiter` make a waiter from
what the user gives: the text behind `--for`, and health scripts.
"""

from __future__ import annotations

from celvet.lint.waiters.helm import HELM3, HELM4, HELM4_LEGACY
from celvet.lint.waiters.kstatus import FLUX, KSTATUS, TIMONI
from celvet.lint.waiters.waiter import Effect, Waiter, WaiterJudgement

__all__ = ["WAITERS", "Effect", "Waiter", "WaiterJudgement"]

WAITERS: dict[str, Waiter] = {
    waiter.name: waiter for waiter in (FLUX, KSTATUS, HELM4, HELM4_LEGACY, HELM3, TIMONI)
}
"""Name -> waiter."""
