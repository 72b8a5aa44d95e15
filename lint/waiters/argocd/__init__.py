"""Argo CD: health of an object by scripts in Lua, else by its own rules for built-in kinds.

Mirrors `gitops-engine/pkg/health` and `util/lua` of `argoproj/argo-cd` (v3.5.1).
"""

from __future__ import annotations

from datetime import datetime

from celvet.lint.model import Value
from celvet.lint.values import group_kind_of, list_at, text_at
from celvet.lint.verdicts.unstructured import FieldTypeError
from celvet.lint.waiters.argocd.builtin import RULES
from celvet.lint.waiters.argocd.health import Health
from celvet.lint.waiters.argocd.scripts import Scripts, ScriptsError, read_scripts
from celvet.lint.waiters.waiter import Effect, Waiter, WaiterJudgement
from celvet.schemas.kind_files import is_stateless

__all__ = ["NAME", "Scripts", "ScriptsError", "health", "read_scripts", "waiter"]

NAME = "argocd"
_HOOK_FINALIZER = "argocd.argoproj.io/hook-finalizer"
EFFECTS: dict[str, Effect] = {"": "ready", "Healthy": "ready", "Degraded": "fails"}
"""A sync wave ends at a Degraded object, and goes on only when every object is Healthy or has no
health; a Suspended one is waited for (`gitops-engine/pkg/sync/sync_context.go`)."""


def waiter(scripts: Scripts | None) -> Waiter:
    """Argo CD with these health scripts; without any, only its rules for built-in kinds count."""

    def judge(obj: Value, _: datetime) -> WaiterJudgement:
        result = health(obj, scripts or Scripts())
        kind = group_kind_of(obj)
        if not (result.status or scripts or is_stateless(kind.group, kind.kind)):
            message = "no health scripts are given"
            return WaiterJudgement(status="", effect="unknown", message=message)
        lack = (
            "" if result.status else "Argo CD has no check for the kind, and leaves the object out"
        )
        return WaiterJudgement(
            status=result.status,
            effect=EFFECTS.get(result.status, "waits"),
            message=lack or result.message,
            error=result.error,
        )

    absent = WaiterJudgement(status="Missing", effect="waits")
    return Waiter(name=NAME, mirrors="Argo CD v3.5.1", judge=judge, absent=absent)


def health(obj: Value, scripts: Scripts) -> Health:
    """`GetResourceHealth`: deletion, then the script of the kind, then the built-in rule.

    The status is empty where Argo CD leaves the object out.
    """
    finalizers = list_at(obj, ("metadata", "finalizers"))
    if text_at(obj, ("metadata", "deletionTimestamp")) and _HOOK_FINALIZER not in finalizers:
        return Health("Progressing", "Pending deletion")
    group_kind = group_kind_of(obj)
    if script := scripts.of(group_kind):
        from celvet.lint.waiters.argocd.lua import run  # loads the Lua engine

        return run(script, obj)
    rule = RULES.get(str(group_kind))
    if rule is None:
        return Health("")
    try:
        return rule(obj)
    except FieldTypeError as error:
        return Health("Unknown", str(error), error=str(error))
