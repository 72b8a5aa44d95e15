"""The judges of a Kustomization or HelmRelease."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.controllers.expression import program_at
from celvet.lint.controllers.flux.dependency import Dependency
from celvet.lint.controllers.flux.entries import entries, stalled
from celvet.lint.controllers.flux.health import Assessment, HealthCheck, Wait
from celvet.lint.controllers.flux.kinds import CONTROLLERS, Controller
from celvet.lint.controllers.judge import Judge
from celvet.lint.controllers.unstructured import elements, kind_of, text_or
from celvet.lint.controllers.verdict import Verdict
from celvet.lint.model import Value


def judges(declaration: Value) -> tuple[Judge, ...]:
    """One a health check, one for what none of them covers, one a dependency."""
    controller = CONTROLLERS.get(kind_of(declaration))
    if controller is None:
        return ()
    declared = entries(declaration)
    assessment = Assessment(
        entries=declared,
        stalled=stalled(declared),
        timeout=controller.timeout(declaration),
        failure=controller.failure,
        jobs_first=controller.jobs_first(declaration),
    )
    checks = (HealthCheck(assessment, entry) for entry in declared)
    dependencies = _dependencies(declaration, controller, assessment.stalled)
    return (*checks, Wait(assessment), *dependencies)


def _dependencies(
    declaration: Value, controller: Controller, stalls: Verdict | None
) -> Iterator[Dependency]:
    own = text_or("", declaration, "metadata", "namespace")
    for index, value in enumerate(elements(declaration, "spec", "dependsOn")):
        path = ("spec", "dependsOn", index)
        yield Dependency(
            path=path,
            group_kind=kind_of(declaration),
            namespace=text_or("", value, "namespace") or own,
            name=text_or("", value, "name"),
            program=program_at(value, path, "readyExpr", "flux-ready"),
            declaration=declaration,
            controller=controller,
            stalled=stalls,
        )
