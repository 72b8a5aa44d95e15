"""The judges of a Kustomization or HelmRelease."""

from __future__ import annotations

from collections.abc import Iterator

from lint.model import Value
from lint.systems.expression import program_at
from lint.systems.flux.dependency import Dependency
from lint.systems.flux.entries import entries, stalled
from lint.systems.flux.health import Assessment, HealthCheck, Wait
from lint.systems.flux.kinds import CONTROLLERS, Controller
from lint.systems.judge import Judge
from lint.systems.unstructured import elements, kind_of, text_or
from lint.systems.verdict import Verdict


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
