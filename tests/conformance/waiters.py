"""Answers the vectors of other waiters: kstatus of Helm, `kubectl wait`, Argo CD."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from celvet.lint.waiters import WAITERS, argocd
from celvet.lint.waiters.kubectl_wait import ForError, parse_for
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector

TOOLS = Path(os.environ.get("CELVET_TOOLS", Path.home() / ".cache" / "celvet-tools"))
_NOW = datetime(2026, 11, 1, tzinfo=UTC)


@cache
def argocd_scripts() -> argocd.Scripts | None:
    """The scripts that `make tools` puts in place, or of the checkout that ARGOCD names."""
    folder = Path(os.environ.get("ARGOCD", TOOLS / "argo-cd"))
    return argocd.read_scripts(folder) if folder.is_dir() else None


def _kstatus(_: Vector, subject: Any) -> Answer:
    judgement = WAITERS["kstatus"].judge(subject, _NOW)
    if judgement.error:
        return Answer(ok=False, message=judgement.error)
    extra = {"status": judgement.status, "message": judgement.message}
    return Answer(ok=True, extra=extra)


def _kubectl(vector: Vector, subject: Any) -> Answer:
    try:
        judgement = parse_for(vector["expr"]).judge(subject, _NOW)
    except ForError as error:
        return Answer(ok=False, message=str(error))
    # The recorder could not ask kubectl about an empty name.
    asked = vector["want"].get("error") != "not asked of an object"
    error = {"error": judgement.error} if judgement.error and asked else {}
    return Answer(ok=True, extra={"met": judgement.status == "met", **error})


def _argocd(vector: Vector, subject: Any) -> Answer:
    scripts = argocd_scripts()
    if scripts is None and vector["want"]["lua"]:
        return Answer(ok=False, message=NOT_ANALYSED)
    health = argocd.health(subject, scripts or argocd.Scripts())
    # Errors have the words of another engine.
    message = {} if health.error else {"message": health.message}
    return Answer(ok=True, extra={"status": health.status, **message})


def _helm(_: Vector, subject: Any) -> Answer:
    judgement = WAITERS["helm4"].judge(subject, _NOW)
    status = "" if judgement.effect == "ready" else judgement.status
    return Answer(ok=True, extra={"effect": judgement.effect, "status": status})


MODES: dict[str, Mode] = {
    "kstatus-state": _kstatus,
    "helm-install": _helm,
    "kubectl-wait": _kubectl,
    "argocd-health": _argocd,
}
