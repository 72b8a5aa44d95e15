"""The two kinds with Flux's health checks, and how their controllers differ.

Read in kustomize-controller v1.9.5 (`internal/controller/kustomization_controller.go`)
and helm-controller v1.6.4 (`internal/controller/helmrelease_controller.go`).
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.model import GroupKind, Value
from celvet.lint.values import get
from celvet.record import record

_KUSTOMIZE, _HELM = "kustomize.toolkit.fluxcd.io", "helm.toolkit.fluxcd.io"

GROUPS = frozenset({_KUSTOMIZE, _HELM})
"""The API groups of the declarations."""


@record
class FluxController:
    """One of the two controllers.

    `not_found_message` is its message for a missing dependency, given the key and the
    API server's words; `failure` the reason of `Ready` after a failed wait, `failed` its message,
    given what the wait `took` and its `error`; the reason is empty where it depends on the action
    of Helm. `jobs_first` is whether the rule for Jobs goes before the expressions of a declaration,
    `jobs_end` whether it has that rule at all, by which a Job must have ended.
    """

    resource: str
    not_found_message: str
    failure: str
    failed: str
    jobs_first: Callable[[Value], bool]
    jobs_end: Callable[[Value], bool]


def _as_itself(declaration: Value) -> bool:
    """Whether kustomize-controller applies as itself; otherwise its rule for Jobs comes last."""
    identity_fields = ("serviceAccountName", "kubeConfig")
    return not any(get(declaration, ("spec", name)) for name in identity_fields)


def _waits_for_jobs(declaration: Value) -> bool:
    """Whether helm-controller waits until a Job has ended, at the first install or an upgrade."""
    settings = (get(declaration, ("spec", action)) for action in ("install", "upgrade"))
    return not all(get(action, ("disableWaitForJobs",)) is True for action in settings)


CONTROLLERS: dict[GroupKind, FluxController] = {
    GroupKind(_KUSTOMIZE, "Kustomization"): FluxController(
        resource=f"kustomizations.{_KUSTOMIZE}",
        not_found_message="dependency '{key}' not found: {error}",
        failure="HealthCheckFailed",
        failed="health check failed after {took}: {error}",
        jobs_first=_as_itself,
        jobs_end=lambda _: True,
    ),
    GroupKind(_HELM, "HelmRelease"): FluxController(
        resource=f"helmreleases.{_HELM}",
        not_found_message="unable to get '{key}' dependency: {error}",
        failure="",
        failed="{error}",
        jobs_first=lambda _: False,
        jobs_end=_waits_for_jobs,
    ),
}
"""Kind of a declaration -> its controller."""
