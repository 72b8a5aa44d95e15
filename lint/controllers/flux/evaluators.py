"""The evaluators of a Kustomization or HelmRelease."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.controllers.evaluator import Evaluator
from celvet.lint.controllers.flux.dependency import FluxDependency
from celvet.lint.controllers.flux.entries import stalled
from celvet.lint.controllers.flux.health import Assessment, FluxWait, HealthCheck
from celvet.lint.controllers.flux.kinds import CONTROLLERS, Controller
from celvet.lint.controllers.unstructured import kind_of, text_or
from celvet.lint.controllers.verdict import Verdict


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """One a health check, one for what none of them covers, one a dependency."""
    declaration = checked.value
    controller = CONTROLLERS.get(kind_of(declaration))
    if controller is None:
        return ()
    entries = tuple(each for each in checked.doing("health-check") if isinstance(each.value, dict))
    assessment = Assessment(
        entries=entries,
        stalled=stalled(entries),
        timeout=controller.timeout(declaration),
        failure=controller.failure,
        jobs_first=controller.jobs_first(declaration),
    )
    health_checks = (HealthCheck(assessment, entry) for entry in entries)
    dependencies = _dependencies(checked, controller, assessment.stalled)
    return (*health_checks, FluxWait(assessment), *dependencies)


def _dependencies(
    checked: CheckedObject, controller: Controller, stalls: Verdict | None
) -> Iterator[FluxDependency]:
    own = text_or("", checked.value, "metadata", "namespace")
    for check in checked.doing("dependency"):
        yield FluxDependency(
            path=check.path,
            group_kind=kind_of(checked.value),
            namespace=text_or("", check.value, "namespace") or own,
            name=text_or("", check.value, "name"),
            expression=next(iter(check.cel), None),
            declaration=checked.value,
            controller=controller,
            stalled=stalls,
        )
